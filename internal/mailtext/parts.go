package mailtext

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// multipart decodes the parts of a body (RFC 2046 5.1).
func (d *decoder) multipart(media, boundary string, r *bufio.Reader, depth int) error {
	if start, err := r.Peek(lineSize); boundary == "" || err == io.EOF && !bytes.Contains(start, []byte("--"+boundary)) {
		if err := d.damaged("a part", errors.New("a boundary is missing")); err != nil {
			return err
		}
		return d.text(r, "", nil)
	}
	in, part := newParts(r, boundary), bufio.NewReaderSize(nil, lineSize)
	for n := 0; ; n++ {
		err := in.next()
		switch {
		case d.source.err != nil:
			return d.source.err
		case err == io.EOF && n > 0, err != nil && d.failed != nil && n > 0: // the end of the last part was damaged
			return nil
		case err != nil:
			return d.damaged("a part", errors.New("a boundary is missing"))
		case n > 0 && media == "multipart/alternative":
			continue
		}
		part.Reset(in)
		f, err := readFields(part)
		if err != nil {
			if err := d.damaged("the header of a part", err); err != nil {
				return err
			}
		}
		if media == "multipart/digest" && f.get("Content-Type") == "" {
			f["content-type"] = "message/rfc822"
		}
		if err := d.entity(f.aboutBody(), part, depth+1); err != nil {
			return err
		}
	}
}

// parts reads the parts of a body, each up to the boundary after it. Lines of any length are passed
// on in pieces.
type parts struct {
	in       *bufio.Reader
	boundary []byte // with the two hyphens before it
	begin    bool   // at the begin of a line
	end      []byte // the line end before it, which belongs to a boundary that follows
	buf      []byte
	rest     []byte // of buf
	err      error  // what ended the part: io.EOF is a boundary
	last     bool   // that boundary is the last one
}

// newParts returns the parts of a body. The first part is the preamble.
func newParts(r *bufio.Reader, boundary string) *parts {
	return &parts{in: r, boundary: []byte("--" + boundary), begin: true}
}

// next skips what is left of the part, and goes on with the next one. It returns io.EOF if there is
// none, and io.ErrUnexpectedEOF if the last boundary is missing.
func (p *parts) next() error {
	if _, err := io.Copy(io.Discard, p); err != nil {
		return err
	}
	if p.last {
		return io.EOF
	}
	p.err, p.begin, p.end = nil, true, p.end[:0]
	return nil
}

// Read reads the part.
func (p *parts) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		p.fill()
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// fill reads a line, or a piece of one.
func (p *parts) fill() {
	line, err := p.in.ReadSlice('\n')
	if p.begin {
		var found bool
		if found, p.last = p.isBoundary(line); found {
			for err == bufio.ErrBufferFull {
				_, err = p.in.ReadSlice('\n')
			}
			p.err = io.EOF
			return
		}
	}
	p.buf = append(append(p.buf[:0], p.end...), line...)
	p.begin = err == nil
	text := bytes.TrimSuffix(p.buf, []byte("\n"))
	if p.begin || err == bufio.ErrBufferFull { // a LF may follow this CR
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	if err != nil && err != bufio.ErrBufferFull {
		p.err = err
		if err == io.EOF {
			p.err = io.ErrUnexpectedEOF
		}
		text = p.buf
	}
	p.rest, p.end = text, append(p.end[:0], p.buf[len(text):]...)
}

// isBoundary reports whether a line is a boundary, and whether it is the last one. White space may
// follow it.
func (p *parts) isBoundary(line []byte) (found, last bool) {
	rest, found := bytes.CutPrefix(line, p.boundary)
	if !found {
		return false, false
	}
	rest, last = bytes.CutPrefix(bytes.TrimRight(rest, " \t\r\n"), []byte("--"))
	return len(rest) == 0, last
}
