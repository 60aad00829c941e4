package ph

import (
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// line is a line of a reply (RFC 2378 3): "-200:1:  alias: s-dorner", or "200:Ok." as the last.
type line struct {
	code  int
	last  bool   // it ends the reply
	index int    // of the entry; 0 if it has none
	name  string // of the field
	text  string // the value; in the last line everything after the code
	size  int    // bytes, with the line end
}

// parseLine parses a line. ok is false if it is not a line of Ph.
func parseLine(s string) (l line, ok bool) {
	rest, more := strings.CutPrefix(s, "-")
	digits, rest, ok := strings.Cut(rest, ":")
	code, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 16)
	if !ok || err != nil || code < 100 || code > 999 {
		return l, false
	}
	l.code, l.last, l.text = int(code), !more && code >= 200, rest
	if !more {
		return l, true
	}
	number, after, ok := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
	if !ok || err != nil {
		return l, true
	}
	l.index, l.text = int(n), after
	if name, value, ok := strings.Cut(after, ":"); ok {
		l.name, l.text = strings.TrimSpace(name), value
	}
	return l, true
}

// noMatch is the code of a query that finds nothing.
const noMatch = 501

// failure returns the error of a last line, nil for success (RFC 2378, appendix).
func (l line) failure() error {
	code, what := scheme.CodeProtocol, "the name server refuses the query"
	switch {
	case l.code < 300 || l.code == noMatch:
		return nil
	case l.code/100 == 4, l.code == 520:
		code, what = scheme.CodeUnavailable, "the name server cannot answer now"
	case l.code == 502:
		code, what = scheme.CodeUsage, "the query matches too many entries; make it more specific"
	case l.code == 503, l.code == 504, l.code == 506, l.code == 516, l.code == 522:
		code, what = scheme.CodeLoginNeeded, "the name server requires a login for that, which no URL can hold"
	case l.code == 507, l.code == 512, l.code == 515, l.code == 599:
		code, what = scheme.CodeUsage, "the name server does not understand the query; use words, or field=value with the fields that attr shows"
	case l.code == 514, l.code == 598:
		code, what = scheme.CodeUnsupported, "the name server does not know the command"
	}
	return scheme.Replied(code, quoted(l.text), "%s", what)
}

// quoted returns a server's text for an error message: at most 500 bytes, and safe to print.
func quoted(s string) string { return wire.Excerpt(strings.TrimSpace(s), 500) }
