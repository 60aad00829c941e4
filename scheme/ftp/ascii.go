package ftp

import (
	"bufio"
	"io"
	"runtime"
)

// crlfHere reports whether lines end with CR LF on this system, as on the wire: then nothing is
// converted.
const crlfHere = runtime.GOOS == "windows"

// asciiBuffer is the size of the buffer for conversion, in bytes.
const asciiBuffer = 32 << 10

// fromASCII converts a body in TYPE A: line ends, which are CR LF on the wire (RFC 959 3.1.1.1),
// become the local LF. A single CR or LF is not a line end and stays.
func fromASCII(r io.Reader) io.Reader { return newASCIIReader(r, false) }

// toASCII converts a body to TYPE A: LF becomes CR LF, unless a CR precedes it.
func toASCII(r io.Reader) io.Reader { return newASCIIReader(r, true) }

func newASCIIReader(r io.Reader, encode bool) io.Reader {
	if crlfHere {
		return r
	}
	return &asciiReader{r: bufio.NewReaderSize(r, asciiBuffer), encode: encode}
}

type asciiReader struct {
	r      *bufio.Reader
	encode bool // to TYPE A
	last   byte // the previous byte
}

func (a *asciiReader) Read(p []byte) (n int, err error) {
	for n < len(p) && (n == 0 || a.r.Buffered() > 0) {
		c, err := a.r.ReadByte()
		switch {
		case err != nil:
			return n, err
		case a.encode && c == '\n' && a.last != '\r':
			c = '\r'
			_ = a.r.UnreadByte() // the LF is next
		case !a.encode && c == '\r':
			if next, _ := a.r.Peek(1); string(next) == "\n" {
				c, _ = a.r.ReadByte()
			}
		}
		p[n], a.last = c, c
		n++
	}
	return n, nil
}
