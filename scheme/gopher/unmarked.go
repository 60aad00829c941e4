package gopher

import (
	"bytes"
	"io"
)

// unmarked reads an item that is listed as a text and whose selector says that it is binary,
// without the end mark that may follow it.
//
// QUIRK: UMN gopherd lists PostScript, like a true binary, as type 0 with a selector that begins
// with "9/", but sends it as a text, with an end mark (umn-2.3.0 and umn-3.0.5, 61). Only the
// content distinguishes the two: a text has no NUL.
type unmarked struct {
	in     io.Reader
	held   []byte // the last bytes, which may be the begin of a mark
	out    []byte // to be returned
	buf    []byte
	binary bool // there was a NUL
	err    error
}

// lastMark is a line of a dot at the end of an item.
const lastMark = "\n.\r\n"

// Read implements io.Reader.
func (u *unmarked) Read(p []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		u.fill()
	}
	if len(u.out) == 0 {
		return 0, u.err
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill reads a piece. It holds back what may be an end mark.
func (u *unmarked) fill() {
	if u.buf == nil {
		u.buf = make([]byte, decodeChunk)
	}
	n := copy(u.buf, u.held)
	var more int
	more, u.err = u.in.Read(u.buf[n:])
	b := u.buf[:n+more]
	u.binary = u.binary || bytes.IndexByte(b, 0) >= 0
	switch {
	case u.binary, u.err != nil && u.err != io.EOF:
		u.out, u.held = b, nil
	case u.err == io.EOF:
		u.out, u.held = b, nil
		if bytes.HasSuffix(b, []byte(lastMark)) || string(b) == lastMark[1:] {
			u.out = b[:len(b)-len(lastMark[1:])]
		}
	default:
		keep := min(len(b), len(lastMark))
		u.out = b[:len(b)-keep]
		u.held = append(u.held[:0], b[len(b)-keep:]...)
	}
}
