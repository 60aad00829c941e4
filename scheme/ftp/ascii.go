package ftp

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
)

// crlfHere says that lines end with CR LF on this system, as on the wire: nothing is to be converted.
const crlfHere = runtime.GOOS == "windows"

// asciiBuffer is how much is converted at once, in octets.
const asciiBuffer = 32 << 10

// fromASCII reads a body in TYPE A: its line ends, CR LF on the wire (RFC 959 3.1.1.1), become the local LF. A CR or LF
// alone is no line end and stays.
func fromASCII(r io.Reader) io.Reader {
	if crlfHere {
		return r
	}
	return &asciiReader{r: r, buf: make([]byte, asciiBuffer)}
}

type asciiReader struct {
	r          io.Reader
	buf        []byte
	start, end int   // of what waits in buf, as it came
	err        error // of the last read, met once all is given
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
		// At most one octet waits: a CR of which it is not known yet whether it begins a line end.
		a.end = copy(a.buf, a.buf[a.start:a.end])
		a.start = 0
		n, err := a.r.Read(a.buf[a.end:])
		a.end += n
		a.err = err
	}
}

// convert fills p from what waits.
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

// toASCII reads a body for TYPE A: local line ends become CR LF. What has CR LF already keeps it.
func toASCII(r io.Reader) io.Reader {
	if crlfHere {
		return r
	}
	return &crlfReader{r: bufio.NewReaderSize(r, asciiBuffer)}
}

type crlfReader struct {
	r    *bufio.Reader
	last byte // the octet before
	lf   bool // a CR was given, its LF is due
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
