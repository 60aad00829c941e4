package ftp

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
)

// crlfHere reports whether lines end with CR LF on this system, as on the wire: then nothing is converted.
const crlfHere = runtime.GOOS == "windows"

// asciiBuffer is the size of the buffer for conversion, in bytes.
const asciiBuffer = 32 << 10

// fromASCII converts a body in TYPE A: line ends, which are CR LF on the wire (RFC 959 3.1.1.1), become the local LF. A single
// CR or LF is no line end and stays.
func fromASCII(r io.Reader) io.Reader {
	if crlfHere {
		return r
	}
	return &asciiReader{r: r, buf: make([]byte, asciiBuffer)}
}

type asciiReader struct {
	r          io.Reader
	buf        []byte
	start, end int   // of the unconverted data in buf
	err        error // of the last read, returned after the data
}

func (a *asciiReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if n := a.convert(p); n > 0 {
			return n, nil
		}
		if a.err != nil {
			return 0, a.err
		}
		// At most one byte is left: a CR that may begin a line end.
		a.end = copy(a.buf, a.buf[a.start:a.end])
		a.start = 0
		n, err := a.r.Read(a.buf[a.end:])
		a.end += n
		a.err = err
	}
}

// convert fills p from the unconverted data.
func (a *asciiReader) convert(p []byte) (n int) {
	for n < len(p) && a.start < a.end {
		b := a.buf[a.start:a.end]
		if b[0] == '\r' {
			switch {
			case len(b) == 1 && a.err == nil:
				return n
			case len(b) > 1 && b[1] == '\n':
				a.start++
			default:
				p[n] = '\r'
				n++
				a.start++
			}
			continue
		}
		if i := bytes.IndexByte(b, '\r'); i > 0 {
			b = b[:i]
		}
		c := copy(p[n:], b)
		n += c
		a.start += c
	}
	return n
}

// toASCII converts a body to TYPE A: LF becomes CR LF, unless a CR precedes it.
func toASCII(r io.Reader) io.Reader {
	if crlfHere {
		return r
	}
	return &crlfReader{r: bufio.NewReaderSize(r, asciiBuffer)}
}

type crlfReader struct {
	r    *bufio.Reader
	last byte // the previous byte
	lf   bool // a CR was returned, its LF is due
}

func (c *crlfReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n := 0
	for n < len(p) {
		if c.lf {
			p[n], c.lf, c.last = '\n', false, '\n'
			n++
			continue
		}
		if n > 0 && c.r.Buffered() == 0 {
			break
		}
		o, err := c.r.ReadByte()
		if err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err
		}
		if o == '\n' && c.last != '\r' {
			o, c.lf = '\r', true
		}
		p[n], c.last = o, o
		n++
	}
	return n, nil
}
