package gopher

import (
	"io"

	"locator/scheme"
)

// menu reads the items of a menu (RFC 1436 3.4) as entries.
type menu struct {
	reader
	lines   *lines
	entries int                   // that may come at most, by the limits
	wish    int                   // that are wanted at most; 0 is no wish
	known   map[item]scheme.Entry // what else is known of items; may be nil
	failed  func(error) error     // makes the error of a broken transfer
	proper  bool                  // a line with all its fields was seen
	last    byte                  // the type of the last item that is no mirror
}

// parse reads a line as an item.
//
// QUIRK: a line without any TAB is a text, with its first octet; an "i" goes where other lines show that the server
// knows what a menu is.
func (m *menu) parse(line string, it *item) {
	it.parse(line)
	if it.tabs >= 3 {
		m.proper = true
	}
	if it.tabs == 0 && line != "" {
		*it = item{typ: 'i', display: line}
		if line[0] == 'i' && m.proper {
			it.display = line[1:]
		}
	}
}

// all gives the entries. A mirror (type "+") is attached to the item before it, so an entry comes when the next line is
// known.
func (m *menu) all(yield func(scheme.Entry, error) bool) {
	var it item
	var e scheme.Entry
	line, err := m.lines.read()
	for count, given := 0, 0; err == nil; {
		if count++; count > m.entries {
			err = scheme.Fail(scheme.CodeBroken, "the menu passed the limit of %d entries", m.entries)
			break
		}
		m.parse(line, &it)
		if it.typ == '+' && m.last != 0 { // a mirror of nothing that is there
			it.typ = m.last
		}
		m.make(&it, &e)
		line, err = m.lines.read()
		if e.Kind != scheme.KindNote {
			m.last = it.typ
			for err == nil && line != "" && line[0] == '+' && count < m.entries {
				var x scheme.Entry
				m.parse(line, &it)
				it.typ = m.last
				m.make(&it, &x)
				if x.Kind == scheme.KindNote {
					break
				}
				count++
				e.Mirrors = append(e.Mirrors, x)
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

// make makes the entry of an item, with what else is known of it.
func (m *menu) make(it *item, e *scheme.Entry) {
	m.read(it, e)
	if m.known == nil {
		return
	}
	if k, ok := m.known[it.key()]; ok {
		e.Attr, e.Alternates = k.Attr, k.Alternates
	}
}

// key is what tells an item from others: all but its text and what follows the port.
func (it *item) key() item {
	return item{typ: it.typ, selector: it.selector, host: it.host, port: it.port}
}
