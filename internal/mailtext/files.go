package mailtext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"locator/internal/armor"
)

// file passes an attachment on.
func (d *decoder) file(name, media string, r io.Reader) error {
	body := &counter{r: r}
	if d.o.Part != nil {
		if err := d.o.Part(name, media, body); err != nil {
			return err
		}
	}
	_, _ = io.Copy(io.Discard, body) // its error is in body
	switch {
	case d.source.err != nil:
		return d.source.err
	case body.err != nil:
		return d.damaged(fmt.Sprintf("file %s, %s, after %d bytes,", name, media, body.n), body.err)
	}
	unit := "bytes"
	if body.n == 1 {
		unit = "byte"
	}
	return d.write(fmt.Sprintf("[file %s, %s, %d %s]\n", name, media, body.n, unit))
}

// counter counts the bytes of an attachment and keeps its error.
type counter struct {
	r   io.Reader
	n   int64
	err error
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// opener returns the file that begins in a text.
type opener func(io.Reader) (*armor.File, error)

// fileBegins returns the opener for the file that the next lines begin; nil if they begin none.
func fileBegins(in *bufio.Reader) opener {
	if start, _ := in.Peek(8); string(start) == "=ybegin " {
		return armor.YEnc
	} else if !bytes.HasPrefix(start, []byte("begin")) {
		return nil
	}
	start, _ := in.Peek(1 << 10)
	first, rest, _ := bytes.Cut(start, []byte("\n"))
	second, _, ok := bytes.Cut(rest, []byte("\n"))
	words := bytes.Fields(first)
	if !ok || len(words) < 3 || string(words[0]) != "begin" || len(words[1]) < 3 || len(words[1]) > 4 || len(bytes.Trim(words[1], "01234567")) > 0 {
		return nil
	}
	if string(bytes.TrimRight(second, "\r")) == "end" {
		return armor.UU
	}
	for i, c := range bytes.TrimRight(second, "\r") {
		if n := int(second[0]-' ') & 0x3F; c < ' ' || c > '`' || i > 1+(n+2)/3*4 { // prose
			return nil
		}
	}
	return armor.UU
}

// textFile decodes a file within a text.
func (d *decoder) textFile(open opener, in *bufio.Reader) error {
	f, err := open(in)
	if err != nil {
		if d.source.err != nil {
			return d.source.err
		}
		return d.damaged("a file", err)
	}
	if d.parts++; d.parts > maxParts {
		return fmt.Errorf("%w: it has more than %d parts", ErrForm, maxParts)
	}
	name := Header(f.Name, d.charset)
	if f.Part > 0 && f.Parts != 1 {
		name += fmt.Sprintf(".%03d", f.Part)
	}
	if name == "" {
		name = fmt.Sprintf("part-%d", d.parts)
	}
	return d.file(name, "application/octet-stream", f)
}
