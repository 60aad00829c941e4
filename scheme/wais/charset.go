package wais

import (
	"strings"
	"unicode"

	"locator/scheme/internal/charsets"
)

// charset decodes what a server calls text. WAIS names no charset.
type charset struct{ charsets.Decoder }

// text decodes text of one line. Each run of control characters and blanks becomes one blank.
//
// QUIRK: headlines of old servers have line ends and escape sequences in them.
func (c charset) text(s string) string {
	return strings.Join(strings.FieldsFunc(c.Decode(s), func(r rune) bool { return r == ' ' || unicode.IsControl(r) }), " ")
}
