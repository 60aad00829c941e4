package gopher

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// charset decodes the bytes of a server. Gopher+ prescribes ISO 8859-1, but servers of today send UTF-8. Valid UTF-8 is
// decoded as UTF-8, other text with the charset of the server's caps.txt, else as Windows-1252, a superset of ISO 8859-1. A
// charset that the caller asks for overrides all of them.
type charset struct {
	wish   encoding.Encoding // of the caller; nil if there is none
	server encoding.Encoding // of caps.txt; nil if it is not known
}

// newCharset returns the charset that a caller asks for by name; "" asks for none.
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

// text decodes a line and removes control characters.
func (c charset) text(s string) string {
	switch {
	case c.wish != nil:
		if t, err := c.wish.NewDecoder().String(s); err == nil {
			s = t
		}
	case isPlain(s):
		return s
	case !utf8.ValidString(s):
		t := string(utf8.RuneError)
		if c.server != nil {
			if u, err := c.server.NewDecoder().String(s); err == nil {
				t = u
			}
		}
		if strings.ContainsRune(t, utf8.RuneError) { // the text cannot be in it
			t, _ = charmap.Windows1252.NewDecoder().String(s)
		}
		s = t
	}
	return clean(s)
}

// name returns wish, else the name of the charset of caps.txt, else "".
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

// clean removes the colour sequences that decorate menus and replaces other control characters by U+FFFD. The command
// line filters the text once more before it prints it to a terminal.
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

// colour returns the length of an ECMA-48 sequence "select graphic rendition" at the begin of s, else 0.
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

// encodeAnswer encodes an answer to a form: in ISO 8859-1 if that has all its characters, because that is what the servers
// of these forms know, else in UTF-8.
func encodeAnswer(s string) string {
	if isPlain(s) || !utf8.ValidString(s) {
		return s
	}
	if t, err := charmap.ISO8859_1.NewEncoder().String(s); err == nil {
		return t
	}
	return s
}
