package gopher

import (
	"strconv"
	"strings"
)

// item is a line of a menu, or the descriptor of an +INFO (RFC 1436 3.4, the Gopher+ document 2.2). Its fields are
// octets as they came, but for the blanks around host and port.
type item struct {
	typ      byte
	display  string
	selector string
	host     string // "" where the line has none, or after resolve where the server meant no host
	port     string
	plus     byte // '+' a Gopher+ item, '?' one with a form, else 0
	tabs     int  // TABs in the line, at most 5 are counted
}

// parseItem takes a line apart. Every line is some item; what is missing is empty.
//
// QUIRK: there may be fewer than four fields and more than five, blanks around host and port, and junk behind the
// port. Blanks belong to a selector.
func parseItem(line string) item {
	var it item
	if line == "" {
		return item{typ: 'i'}
	}
	it.typ = line[0]
	var fields [5]string
	rest, more := line[1:], true
	for i := range fields {
		fields[i], rest, more = strings.Cut(rest, "\t")
		if !more {
			break
		}
		it.tabs++
	}
	it.display, it.selector = fields[0], fields[1]
	it.host = strings.Trim(fields[2], " \r")
	it.port = leadingDigits(strings.Trim(fields[3], " \r"))
	if f := fields[4]; f != "" && (f[0] == '+' || f[0] == '?') {
		it.plus = f[0]
	}
	return it
}

func leadingDigits(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return s[:i]
		}
	}
	return s
}

// dummyHosts stand on lines that lead nowhere.
//
// QUIRK: "(NULL)" (pygopherd, 01; its selector is "fake"), "null.host" (gophernicus, 01), "error.host" (umn-2.3.0, 26;
// pygopherd, 10); the others are used by servers that were not measured.
var dummyHosts = map[string]bool{"fake": true, "(null)": true, "null.host": true, errorHost: true, "invalid": true, ".": true}

const errorHost = "error.host"

func (it item) dummy() bool { return dummyHosts[strings.ToLower(it.host)] }

// isError reports whether the item is an error.
//
// QUIRK: UMN gopherd tells old clients of an error in an item of type 0, with "error.host" (umn-2.3.0, 26).
func (it item) isError() bool {
	return it.typ == '3' || strings.EqualFold(it.host, errorHost)
}

// isNote reports whether the item is a text to read and nothing else.
func (it item) isNote() bool {
	switch {
	case it.isError(), it.typ == 'i', it.typ == '!', it.typ == 'u', it.dummy():
		return true
	case it.typ == '0' && strings.TrimSpace(it.display) == "":
		return true // QUIRK: a nameless text is a separator; lynx has always read it so
	}
	return false
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
