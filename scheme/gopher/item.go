package gopher

import (
	"strconv"
	"strings"

	"locator/scheme"
)

// item is a line of a menu or the descriptor of an +INFO block (RFC 1436 3.4, the Gopher+ document 2.2). The fields hold
// the bytes as received, without the blanks around host and port.
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
// QUIRK: a line may have fewer than four fields or more than five, blanks around host and port, and junk after the
// port. Blanks are part of a selector.
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
	it.port = leadingDigits(strings.Trim(fields[3], " \r"))
	if plus := fields[4]; strings.HasPrefix(plus, "+") || strings.HasPrefix(plus, "?") {
		it.plus = plus[0]
	}
	return it
}

// key returns the fields that identify an item: all but its text and what follows the port.
func (it item) key() item {
	return item{typ: it.typ, selector: it.selector, host: it.host, port: it.port}
}

func leadingDigits(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return s[:i]
		}
	}
	return s
}

const errorHost = "error.host"

// dummy reports whether the host of the item is one that stands on lines that lead nowhere.
//
// QUIRK: "(NULL)" (pygopherd, 01; its selector is "fake"), "null.host" (gophernicus, 01), "error.host" (umn-2.3.0, 26;
// pygopherd, 10); the others are used by servers that were not measured.
func (it item) dummy() bool {
	switch strings.ToLower(it.host) {
	case "fake", "(null)", "null.host", errorHost, "invalid", ".":
		return true
	}
	return false
}

// isError reports whether the item is an error.
//
// QUIRK: UMN gopherd tells old clients of an error in an item of type 0, with "error.host" (umn-2.3.0, 26).
func (it item) isError() bool { return it.typ == '3' || strings.EqualFold(it.host, errorHost) }

// isNote reports whether the item is only a text to read.
func (it item) isNote() bool {
	// QUIRK: a text without a name is a separator; lynx has always read it so.
	separator := it.typ == '0' && strings.TrimSpace(it.display) == ""
	return typeOf(it.typ).kind == scheme.KindNote || separator || it.dummy()
}

// where finds the server of an item; here is the one that sent it. ok is false where the item names no port that can
// be connected to. A menu has no word for TLS: what it says of the server itself is reached as that was.
//
// QUIRK: the host may be missing, then it is the server's own; so is a missing port, which is 70 where a host is given.
func (it item) where(here place) (p place, ok bool) {
	p = here
	if it.host != "" {
		p = place{host: bracketed(it.host), port: defaultPort}
	}
	if it.port != "" {
		n, err := strconv.ParseUint(it.port, 10, 16)
		if err != nil || n == 0 {
			return p, false
		}
		p.port = uint16(n)
	}
	p.secure = here.secure && p.port == here.port && strings.EqualFold(p.host, here.host)
	return p, true
}
