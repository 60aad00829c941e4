package gopher

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"

	"locator/scheme/internal/charsets"
)

// charset decodes the bytes of a server. Gopher+ prescribes ISO 8859-1, but servers of today send
// UTF-8. The charset of the server is that of its caps.txt.
type charset struct{ charsets.Decoder }

// text decodes a line and removes control characters.
func (c charset) text(s string) string {
	if c.Wish == nil && isPlain(s) {
		return s
	}
	return clean(c.Decode(s))
}

// name returns wish, else the name of the charset of caps.txt, else "".
func (c charset) name(wish string) string {
	if wish != "" || c.Server == nil {
		return wish
	}
	name, err := ianaindex.MIME.Name(c.Server)
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

// clean removes the colour sequences that decorate menus and replaces other control characters by
// U+FFFD. The command line filters the text once more before it prints it to a terminal.
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

// colour returns the length of an ECMA-48 sequence "select graphic rendition" at the begin of s,
// else 0.
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

// encodeAnswer encodes an answer to a form: in ISO 8859-1 if that has all its characters, because
// that is what the servers of these forms know, else in UTF-8.
func encodeAnswer(s string) string {
	if isPlain(s) || !utf8.ValidString(s) {
		return s
	}
	if t, err := charmap.ISO8859_1.NewEncoder().String(s); err == nil {
		return t
	}
	return s
}
