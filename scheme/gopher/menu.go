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

// next reads an item.
//
// QUIRK: a line without any TAB is a text, with its first octet; an "i" goes where other lines show that the server
// knows what a menu is.
func (m *menu) next() (item, error) {
	line, err := m.lines.read()
	if err != nil {
		return item{}, err
	}
	it := parseItem(string(line))
	if it.tabs >= 3 {
		m.proper = true
	}
	if it.tabs == 0 && len(line) > 0 {
		it = item{typ: 'i', display: string(line)}
		if line[0] == 'i' && m.proper {
			it.display = it.display[1:]
		}
	}
	return it, nil
}

// all gives the entries. A mirror (type "+") is attached to the item before it, so an entry comes when the next one is
// known.
func (m *menu) all(yield func(scheme.Entry, error) bool) {
	var held *scheme.Entry
	given := 0
	flush := func() bool {
		if held == nil {
			return true
		}
		e := *held
		held = nil
		given++
		return yield(e, nil) && given != m.wish
	}
	for count := 0; ; count++ {
		it, err := m.next()
		if err == nil && count >= m.entries {
			err = scheme.Fail(scheme.Broken, "the menu passed the limit of %d entries", m.entries)
		}
		if err != nil {
			if flush() && err != io.EOF {
				yield(scheme.Entry{}, m.failed(err))
			}
			return
		}
		mirror := it.typ == '+' && m.last != 0
		if mirror {
			it.typ = m.last
		}
		e := m.make(it)
		if mirror && held != nil && held.Kind != scheme.Note && e.Kind != scheme.Note {
			held.Mirrors = append(held.Mirrors, e)
			continue
		}
		if !flush() {
			return
		}
		held = &e
		if e.Kind != scheme.Note {
			m.last = it.typ
		}
	}
}

// make is entry, with what else is known of the item.
func (m *menu) make(it item) scheme.Entry {
	e := m.entry(it)
	if k, ok := m.known[it.key()]; ok {
		e.Attr, e.Alternates = k.Attr, k.Alternates
	}
	return e
}

// key is what tells an item from others: all but its text and what follows the port.
func (it item) key() item {
	return item{typ: it.typ, selector: it.selector, host: it.host, port: it.port}
}
