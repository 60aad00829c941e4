package gopher

import (
	"context"
	"io"
	"strconv"
	"strings"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
)

// menu reads the items of a menu (RFC 1436 3.4) as entries.
type menu struct {
	reader  reader
	lines   *lines
	entries int                   // limit of entries
	wish    int                   // entries that the caller wants at most; 0 means no limit
	known   map[item]scheme.Entry // attributes of items, by key; may be nil
	failed  func(error) error     // makes the error of a broken transfer
	proper  bool                  // a line with all fields was seen
	last    byte                  // type of the last item that is not a mirror
	tooMany bool                  // noted: an item with more than maxMirrors
}

// parse reads a line as an item.
//
// QUIRK: a line without a TAB is a text and keeps its first byte. An "i" is removed if other lines
// show that the server sends proper menu lines.
func (m *menu) parse(line string) item {
	it := parseItem(line)
	if it.tabs >= 3 {
		m.proper = true
	}
	if it.tabs == 0 && line != "" {
		it = item{typ: 'i', display: line}
		if line[0] == 'i' && m.proper {
			it.display = line[1:]
		}
	}
	return it
}

// all yields the entries. A mirror (type "+") belongs to the item before it, so an entry is yielded
// after the next line has been read.
func (m *menu) all(yield func(scheme.Entry, error) bool) {
	line, err := m.lines.read()
	for count, given := 0, 0; err == nil; {
		if count++; count > m.entries {
			err = scheme.Fail(scheme.CodeBroken, "the menu passed the limit of %d entries", m.entries)
			break
		}
		it := m.parse(line)
		if it.typ == '+' && m.last != 0 { // a mirror of an item that is not there
			it.typ = m.last
		}
		e := m.entry(it)
		line, err = m.lines.read()
		if e.Kind != scheme.KindNote {
			m.last = it.typ
			for err == nil && strings.HasPrefix(line, "+") && count < m.entries {
				mirror := m.parse(line)
				mirror.typ = m.last
				x := m.entry(mirror)
				if x.Kind == scheme.KindNote {
					break
				}
				count++
				if len(e.Mirrors) < maxMirrors {
					e.Mirrors = append(e.Mirrors, x)
				} else {
					m.lines.noteOnce(&m.tooMany, "an item has more than "+strconv.Itoa(maxMirrors)+" mirrors: the others are left out")
				}
				line, err = m.lines.read()
			}
		}
		if given++; !yield(e, nil) || given == m.wish {
			return
		}
	}
	if err != io.EOF {
		yield(scheme.Entry{}, m.failed(err))
	}
}

// entry returns the entry of an item with its known attributes.
func (m *menu) entry(it item) scheme.Entry {
	e := m.reader.entry(it)
	if k, ok := m.known[it.key()]; ok {
		e.Attr, e.Alternates = k.Attr, k.Alternates
	}
	return e
}

// List lists a menu. It never sends a filled form (RFC 1738 3.4.9).
func (s Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	res, err := s.listing(ctx, env, r.URL, options{max: o.Max, copy: o.Copy, hop: r.From != nil, AccessOptions: scheme.AccessOptions{
		Query: o.Query, Accept: o.Accept, Detail: o.Detail, ServerInfo: o.ServerInfo,
	}})
	return result(r.URL, res, err)
}

func (s Scheme) listing(ctx context.Context, env *scheme.Env, u locator.URL, r options) (*scheme.Resource, error) {
	q, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	if q.wantsWords() && r.Query.IsSet() {
		q = q.withWords(r.Query.Or(""))
	}
	c := q.content(false)
	switch {
	case q.plus.verb == '?', q.plus.block != nil:
		return nil, scheme.Fail(scheme.CodeUsage, "the item is a form: access it and fill it in")
	case q.wantsWords():
		return nil, hint.Fail(hint.Answers, scheme.CodeUsage, "the item is a search")
	case q.typ == typeNameServer:
		return nil, q.unsupported()
	case c != givesMenu && c != givesBlocks:
		return nil, scheme.Fail(scheme.CodeUnsupported, "an item of type %c (%s) is not a menu: there is nothing to list", q.typ, typeOf(q.typ).name)
	}
	res, err := s.access(ctx, env, u, r)
	if err != nil {
		return nil, err
	}
	if res.Kind == scheme.KindListing || res.Kind == scheme.KindReferral {
		return res, nil
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeProtocol, "the server sent something other than a menu")
}
