package mailtext

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"

	"locator/internal/armor"
	"locator/internal/octet"
)

// transferDecoder decodes a Content-Transfer-Encoding (RFC 2045 6).
func transferDecoder(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "quoted-printable":
		return &quoted{quotedprintable.NewReader(bufio.NewReaderSize(&escapedControls{r: r}, lineSize))}, nil
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, &onlyBase64{r}), nil
	case "x-uuencode", "x-uue", "uuencode":
		f, err := armor.UU(r)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return r, nil
}

// quoted decodes quoted-printable. Its reader returns bufio.ErrBufferFull for a line longer than
// lineSize, again and again; whoever reads lines from it would take that for a part of a long line.
type quoted struct{ r io.Reader }

// Read implements io.Reader.
func (q *quoted) Read(p []byte) (int, error) {
	n, err := q.r.Read(p)
	if errors.Is(err, bufio.ErrBufferFull) {
		err = fmt.Errorf("a line is longer than %d bytes", lineSize)
	}
	return n, err
}

// escapedControls writes control characters as quoted-printable has to (RFC 2045 6.7): package
// quotedprintable ends at one that is not escaped.
//
// QUIRK: texts have a form feed between pages, and before a spoiler.
type escapedControls struct {
	r    io.Reader
	in   [512]byte
	out  []byte
	rest []byte // of out
}

// Read implements io.Reader.
func (e *escapedControls) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		n, err := e.r.Read(e.in[:])
		if n == 0 {
			return 0, err // an error after bytes is returned again
		}
		e.out = e.out[:0]
		for _, c := range e.in[:n] {
			if c >= ' ' && c != 0x7F || c == '\t' || c == '\r' || c == '\n' {
				e.out = append(e.out, c)
			} else {
				e.out = fmt.Appendf(e.out, "=%02X", c)
			}
		}
		e.rest = e.out
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// onlyBase64 skips bytes that are not base64 (RFC 2045 6.8).
type onlyBase64 struct{ r io.Reader }

// Read implements io.Reader.
func (o *onlyBase64) Read(p []byte) (int, error) {
	for {
		n, err := o.r.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if octet.IsAlphanumeric(c) || c == '+' || c == '/' || c == '=' {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}
