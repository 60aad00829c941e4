package gopher

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// charset turns a server's octets into text. Gopher+ says ISO 8859-1, servers of today send UTF-8: what is UTF-8 is
// read so, the rest as the server says in its caps.txt, else as Windows-1252, which holds ISO 8859-1. A wish of the caller
// wins.
type charset struct {
	wish   encoding.Encoding // nil is none
	server encoding.Encoding // nil where it is not known
}

// newCharset finds the charset of that name; "" is none.
func newCharset(name string) (charset, error) {
	if name == "" {
		return charset{}, nil
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return charset{}, scheme.Fail(scheme.CodeUsage, "charset %q is not known; use an IANA name such as UTF-8, ISO-8859-1 or IBM437", name)
	}
	return charset{wish: e}, nil
}

// text decodes a line and takes out what is no text.
func (c charset) text(s string) string {
	switch {
	case c.wish != nil:
		if t, err := c.wish.NewDecoder().String(s); err == nil {
			s = t
		}
	case isPlain(s):
		return s
	case !utf8.ValidString(s):
		if t, ok := c.told(s); ok {
			s = t
		} else if t, err := charmap.Windows1252.NewDecoder().String(s); err == nil {
			s = t
		}
	}
	return clean(s)
}

// told decodes by what the server tells of itself; false where that is nothing, or cannot be true.
func (c charset) told(s string) (string, bool) {
	if c.server == nil {
		return "", false
	}
	t, err := c.server.NewDecoder().String(s)
	return t, err == nil && !strings.ContainsRune(t, utf8.RuneError)
}

// name is the wish, or the name of what the server tells of itself; "" where neither is there.
func (c charset) name(wish string) string {
	if wish != "" || c.server == nil {
		return wish
	}
	name, err := ianaindex.MIME.Name(c.server)
	if err != nil {
		return ""
	}
	return name
}

// isPlain reports whether s is printable ASCII.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7E {
			return false
		}
	}
	return true
}

// clean takes out the colour sequences that menus are decorated with, and shows U+FFFD for other controls. Whoever
// prints the text on a terminal still filters it.
func clean(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := colour(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r < 0x20 || r >= 0x7F && r < 0xA0 {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// colour is the length of an ECMA-48 sequence "select graphic rendition" at the begin of s, else 0.
func colour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s) && i < 32; i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// encodeAnswer turns an answer to a form into octets: ISO 8859-1 where that has all its characters, for that is what
// the servers of these forms know, else UTF-8.
func encodeAnswer(s string) string {
	if isPlain(s) || !utf8.ValidString(s) {
		return s
	}
	if t, err := charmap.ISO8859_1.NewEncoder().String(s); err == nil {
		return t
	}
	return s
}
