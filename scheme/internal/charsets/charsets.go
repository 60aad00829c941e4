// Package charsets finds character sets by name, and decodes what servers call text.
package charsets

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme"
)

// Named returns the encoding with an IANA name; "" means none.
func Named(name string) (encoding.Encoding, error) {
	if name == "" {
		return nil, nil
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return nil, scheme.Fail(scheme.CodeUsage, "charset %q is not known; use an IANA name such as UTF-8, ISO-8859-1 or IBM437", name)
	}
	return e, nil
}

// Decoder decodes text of a server whose protocol does not name the charset. Valid UTF-8 is decoded
// as UTF-8, other text with the charset that the server is known to use, else as Windows-1252, a
// superset of ISO 8859-1. A charset that the caller asks for overrides all of them.
type Decoder struct {
	Wish   encoding.Encoding // of the caller; nil means none
	Server encoding.Encoding // of the server; nil if it is not known
}

// Decode decodes text. Text that cannot be in the charset that the caller asks for is returned as
// it is.
func (d Decoder) Decode(s string) string {
	if d.Wish != nil {
		if t, err := d.Wish.NewDecoder().String(s); err == nil {
			return t
		}
		return s
	}
	if utf8.ValidString(s) {
		return s
	}
	if d.Server != nil {
		if t, err := d.Server.NewDecoder().String(s); err == nil && !strings.ContainsRune(t, utf8.RuneError) {
			return t
		}
	}
	s, _ = charmap.Windows1252.NewDecoder().String(s) // decodes every byte
	return s
}
