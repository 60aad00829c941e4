package wais

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// charset decodes what a server calls text. WAIS names no charset: valid UTF-8 is decoded as UTF-8, other text as Windows-1252, a
// superset of ISO 8859-1, unless the caller asks for another charset.
type charset struct{ wish encoding.Encoding }

// newCharset returns the charset that a caller asks for by name; "" asks for none.
func newCharset(name string) (charset, error) {
	if name == "" {
		return charset{}, nil
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return charset{}, scheme.Fail(scheme.CodeUsage, "charset %q is not known; use an IANA name such as UTF-8 or ISO-8859-1", name)
	}
	return charset{e}, nil
}

// text decodes text of one line. Each run of control characters and blanks becomes one blank.
//
// QUIRK: headlines of old servers have line ends and escape sequences in them.
func (c charset) text(s string) string {
	return strings.Join(strings.FieldsFunc(c.lines(s), func(r rune) bool { return r == ' ' || unicode.IsControl(r) }), " ")
}

// lines decodes text.
func (c charset) lines(s string) string {
	switch {
	case c.wish != nil:
		if t, err := c.wish.NewDecoder().String(s); err == nil {
			s = t
		}
	case !utf8.ValidString(s):
		s, _ = charmap.Windows1252.NewDecoder().String(s) // decodes every byte
	}
	return s
}
