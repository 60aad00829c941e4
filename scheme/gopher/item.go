package gopher

import (
	"strings"

	"locator/scheme"
)

// item is a line of a menu or the descriptor of an +INFO block (RFC 1436 3.4, the Gopher+ document
// 2.2). The fields hold the bytes as received, without the blanks around host and port.
type item struct {
	typ      byte
	display  string
	selector string
	host     string // "" if the line has none
	port     string
	plus     byte // '+' for a Gopher+ item, '?' for one with a form, else 0
	tabs     int  // number of TABs in the line, at most 5
}

// parseItem parses a line. Every line is an item; missing fields are empty.
//
// QUIRK: a line may have fewer than four fields or more than five, blanks around host and port, and
// junk after the port. Blanks are part of a selector.
func parseItem(line string) item {
	if line == "" {
		return item{typ: 'i'}
	}
	it := item{typ: line[0]}
	var fields [5]string
	rest := line[1:]
	for i := range fields {
		var more bool
		if fields[i], rest, more = strings.Cut(rest, "\t"); !more {
			break
		}
		it.tabs++
	}
	it.display, it.selector = fields[0], fields[1]
	it.host = strings.Trim(fields[2], " \r")
	port := strings.Trim(fields[3], " \r")
	it.port = port[:len(port)-len(strings.TrimLeft(port, "0123456789"))]
	if plus := fields[4]; strings.HasPrefix(plus, "+") || strings.HasPrefix(plus, "?") {
		it.plus = plus[0]
	}
	return it
}

// key returns the fields that identify an item: all but its text and what follows the port.
func (it item) key() item {
	return item{typ: it.typ, selector: it.selector, host: it.host, port: it.port}
}

// isError reports whether the item is an error.
//
// QUIRK: UMN gopherd sends an error to old clients as an item of type 0 with the host "error.host"
// (umn-2.3.0, 26).
func (it item) isError() bool { return it.typ == '3' || strings.EqualFold(it.host, errorHost) }

// isGeomyidaeError reports whether the item has the exact form of geomyidae's errors. Its host may
// exist, so the item must be the whole reply as well.
//
// QUIRK: geomyidae answers a request for an item of any type that it does not have with the one
// line "3Sorry, but the requested token '/a' could not be found.", "Err", "localhost", 70. Older
// versions send an end mark and an empty line after it (the strings notfounderr and err in main.c).
func (it item) isGeomyidaeError() bool {
	return it.typ == '3' && it.tabs == 3 && it.port == "70" && (it.host == "localhost" || it.host == "Err")
}

// isNote reports whether the item is only a text.
func (it item) isNote() bool {
	// QUIRK: a text without a name is a separator; lynx has always read it so.
	separator := it.typ == '0' && strings.TrimSpace(it.display) == ""
	return typeOf(it.typ).kind == scheme.KindNote || separator || it.dummy()
}
