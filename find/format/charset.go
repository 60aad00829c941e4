package format

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"

	"locator/internal/mailtext"
)

// charset decodes a character set to UTF-8.
type charset struct {
	to    sink
	dec   *encoding.Decoder
	ascii bool   // a byte below 0x80 where a character can begin is ASCII
	held  []byte // of a character
	at    int64
	end   int64
}

// withCharset returns a sink that decodes a character set for another sink. For UTF-8, ASCII and
// sets that are not known it is that sink.
func withCharset(name string, to sink) sink {
	name, _, _ = strings.Cut(name, "*") // a language follows (RFC 2231 5)
	e := mailtext.TextEncoding(name)
	if e == nil {
		return to
	}
	return &charset{to: to, dec: e.NewDecoder(), ascii: !mailtext.IsUTF16(e) && e != japanese.ISO2022JP}
}

func (c *charset) write(text []byte, at, end int64) {
	for i := 0; i < len(text); {
		n := i
		for c.ascii && len(c.held) == 0 && n < len(text) && text[n] < 0x80 {
			n++
		}
		if n > i {
			a, e := part(len(text), at, end, i, n)
			c.to.write(text[i:n], a, e)
			i = n
			continue
		}
		a, e := part(len(text), at, end, i, i+1)
		c.add(text[i], a, e)
		i++
	}
}

// maxCharacter is longer than any character with the escape sequence before it.
const maxCharacter = 16

// add adds a byte, and writes the characters that are complete.
func (c *charset) add(b byte, at, end int64) {
	if len(c.held) == 0 {
		c.at = at
	}
	c.held, c.end = append(c.held, b), end
	c.decode(len(c.held) >= maxCharacter)
}

// decode writes the characters that are complete; with force, also incomplete ones.
func (c *charset) decode(force bool) {
	var out [64]byte
	n, read, _ := c.dec.Transform(out[:], c.held, force)
	if n > 0 {
		c.to.write(out[:n], c.at, c.end)
	}
	if c.held = append(c.held[:0], c.held[read:]...); force {
		c.held = c.held[:0]
	} else if read > 0 && len(c.held) > 0 {
		c.at = c.end - 1
	}
}

// flush writes what is left.
func (c *charset) flush() {
	if len(c.held) > 0 {
		c.decode(true)
	}
	c.dec.Reset()
}

func (c *charset) close() {
	c.flush()
	c.to.close()
}
