package gopher

import (
	"math/bits"
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

// parseItem takes a line apart.
func parseItem(line string) (it item) {
	it.parse(line)
	return it
}

// parse takes a line apart. Every line is some item; what is missing is empty.
//
// QUIRK: there may be fewer than four fields and more than five, blanks around host and port, and junk behind the
// port. Blanks belong to a selector.
func (it *item) parse(line string) {
	*it = item{typ: 'i'}
	if line == "" {
		return
	}
	it.typ = line[0]
	n := len(line)
	end := tabAt(line, 1)
	it.display = line[1:end]
	if end == n {
		return
	}
	it.tabs = 1
	begin := end + 1
	end = tabAt(line, begin)
	it.selector = line[begin:end]
	if end == n {
		return
	}
	it.tabs = 2
	begin = end + 1
	end = tabAt(line, begin)
	it.host = trimmed(line[begin:end])
	if end == n {
		return
	}
	it.tabs = 3
	begin = end + 1
	end = tabAt(line, begin)
	it.port = leadingDigits(trimmed(line[begin:end]))
	if end == n {
		return
	}
	it.tabs = 4
	begin = end + 1
	if begin < n && (line[begin] == '+' || line[begin] == '?') {
		it.plus = line[begin]
	}
	if tabAt(line, begin) < n {
		it.tabs = 5
	}
}

// tabAt is the place of the first TAB in s from i on, or the length of s. It looks at eight octets at once, for most
// fields are so short that a call of strings.IndexByte for each is most of the work.
func tabAt(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		x := word(s[i:i+8]) ^ '\t'*lowBits
		if x = (x - lowBits) &^ x & highBits; x != 0 { // the lowest of the bits that are set is that of the first TAB
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for ; i < len(s); i++ {
		if s[i] == '\t' {
			return i
		}
	}
	return i
}

// trimmed is s without the blanks around it, and without CR.
func trimmed(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || c == '\r' }

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
func (it *item) dummy() bool {
	switch strings.ToLower(it.host) {
	case "fake", "(null)", "null.host", errorHost, "invalid", ".":
		return true
	}
	return false
}

// isError reports whether the item is an error.
//
// QUIRK: UMN gopherd tells old clients of an error in an item of type 0, with "error.host" (umn-2.3.0, 26).
func (it *item) isError() bool { return it.typ == '3' || isErrorHost(it.host) }

func isErrorHost(host string) bool { return strings.EqualFold(host, errorHost) }

// isNote reports whether the item, of the server s, is a text to read and nothing else.
func (it *item) isNote(s *site) bool {
	switch it.typ {
	case 'i', '3', '!', 'u':
		return true
	case '0':
		// QUIRK: a nameless text is a separator; lynx has always read it so.
		if strings.TrimSpace(it.display) == "" {
			return true
		}
	}
	return s.failed || s.dummy
}

// where finds the server of an item; here is the one that sent it. ok is false where the item names no port that can
// be connected to. A menu has no word for TLS: what it says of the server itself is reached as that was.
//
// QUIRK: the host may be missing, then it is the server's own; so is a missing port, which is 70 where a host is given.
func (it *item) where(here place) (p place, ok bool) {
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
