package format

import (
	"bufio"
	"bytes"
	"io"

	xcharset "golang.org/x/net/html/charset"
)

// charset returns the character set that a source begins to be in: UTF-16 with a byte order mark,
// or that which HTML names. It is empty for UTF-8, and if none is known.
func (f *Format) charset(in *bufio.Reader) string {
	if mark, _ := in.Peek(2); byteOrder(mark) != "" {
		return byteOrder(mark)
	}
	if f.name != "html" {
		return ""
	}
	head, _ := in.Peek(1 << 10)
	_, name, certain := xcharset.DetermineEncoding(head, "")
	if name == "utf-8" || !certain && !bytes.Contains(bytes.ToLower(head), []byte("charset")) { // a guess
		return ""
	}
	return name
}

// decoded reads a source in UTF-8, and is the origin of what it has read.
type decoded struct {
	spans
	r    io.Reader
	keep int64 // bytes of text whose place is known
	in   []byte
	to   sink
	at   int64 // in the source
	text []byte
	rest []byte // of text
	err  error
}

// newDecoded returns a reader of a source in a character set. It knows the positions of the last
// keep bytes that it has read.
func newDecoded(r io.Reader, charset string, keep int64) *decoded {
	d := &decoded{r: r, keep: keep, in: make([]byte, chunkSize)}
	d.to = withCharset(charset, (*decodedText)(d))
	return d
}

// Read implements io.Reader.
func (d *decoded) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		var n int
		n, d.err = d.r.Read(d.in)
		d.text = d.text[:0]
		d.to.write(d.in[:n], d.at, d.at+int64(n))
		if d.at += int64(n); d.err != nil {
			d.to.close()
		}
		d.rest = d.text
		d.spans.forget(d.spans.end - d.keep)
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// decodedText is the sink of the decoded text.
type decodedText decoded

func (d *decodedText) write(text []byte, at, end int64) {
	d.text = append(d.text, text...)
	d.spans.add(len(text), at, end)
}

func (d *decodedText) close() {}
