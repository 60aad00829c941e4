package telnet

import (
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/transform"

	"locator/scheme/internal/charsets"
)

// charset converts between the character set of a session and UTF-8. The zero value changes
// nothing.
type charset struct {
	name    string // as the user gave it
	set     encoding.Encoding
	encoder transform.Transformer
	partial []byte // incomplete character at the end of the last Write
}

// newCharset returns the charset with an IANA name; "" means none.
func newCharset(name string) (*charset, error) {
	e, err := charsets.Named(name)
	if err != nil || e == nil {
		return &charset{}, err
	}
	return &charset{name: name, set: e, encoder: e.NewEncoder().Transformer}, nil
}

// isPC reports whether a charset is one of the IBM PC.
func isPC(name string) bool {
	e, err := ianaindex.IANA.Encoding(name)
	return err == nil && (e == charmap.CodePage437 || e == charmap.CodePage850 || e == charmap.CodePage865 || e == charmap.CodePage866)
}

// charsetNames returns the names under which a server may offer the charset, in upper case. Without
// a charset it is UTF-8.
func charsetNames(name string) []string {
	if name == "" {
		return []string{"UTF-8"}
	}
	names := []string{strings.ToUpper(name)}
	if e, err := ianaindex.IANA.Encoding(name); err == nil && e != nil {
		for _, index := range []*ianaindex.Index{ianaindex.IANA, ianaindex.MIME} {
			if other, err := index.Name(e); err == nil {
				names = append(names, strings.ToUpper(other))
			}
		}
	}
	return names
}

// reader returns a reader of the text of r in UTF-8. It holds back only an incomplete character.
func (c *charset) reader(r io.Reader) io.Reader {
	if c.set == nil {
		return r
	}
	return transform.NewReader(r, c.set.NewDecoder())
}

// encode returns text, which is UTF-8, in the charset. A character that the charset does not have
// becomes "?". An incomplete character at the end waits for the next call.
func (c *charset) encode(text []byte) []byte {
	if c.set == nil {
		return text
	}
	text = append(c.partial, text...)
	c.partial = nil
	var out []byte
	buf := make([]byte, 4*utf8.UTFMax)
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			c.partial = append(c.partial, text...)
			break
		}
		_, size := utf8.DecodeRune(text)
		n, read, err := c.encoder.Transform(buf, text[:size], false)
		if out = append(out, buf[:n]...); err != nil && read == 0 {
			out, read = append(out, '?'), size
		}
		text = text[max(read, 1):]
	}
	return out
}
