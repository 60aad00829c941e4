package format

import (
	"bytes"
	"io"
)

// cdata begins a section of XML without tags, often because it is HTML. It ends with "]]>", which
// is text in HTML.
const cdata = "<![CDATA["

const blanks = "         " // as long as cdata

// uncdata reads with blanks in the place of each cdata, so that a reader of HTML finds the tags
// behind it. It must be read through a bufio.Reader, which always has space for more than cdata.
type uncdata struct {
	r    io.Reader
	held []byte // the end of what was read, if cdata may begin there
}

// Read implements io.Reader.
func (u *uncdata) Read(p []byte) (int, error) {
	for {
		n := copy(p, u.held)
		m, err := u.r.Read(p[n:])
		text := p[:n+m]
		for rest := text; ; {
			i := bytes.Index(rest, []byte(cdata))
			if i < 0 {
				break
			}
			rest = rest[i:]
			copy(rest, blanks)
		}
		u.held = u.held[:0]
		if err == nil {
			k := beginning(text)
			u.held = append(u.held, text[len(text)-k:]...)
			text = text[:len(text)-k]
		}
		if len(text) > 0 || err != nil || m == 0 {
			return len(text), err
		}
	}
}

// beginning returns the length of the longest end of text with which cdata begins, but not all of
// it.
func beginning(text []byte) int {
	for k := min(len(cdata)-1, len(text)); k > 0; k-- {
		if bytes.HasSuffix(text, []byte(cdata[:k])) {
			return k
		}
	}
	return 0
}
