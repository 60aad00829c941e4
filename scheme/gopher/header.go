package gopher

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

	"locator/scheme"
	"locator/wire"
)

// header is the first line of a Gopher+ reply (the Gopher+ document 2.3).
type header struct {
	failed bool  // "-": an error follows
	size   int64 // bytes that follow, or toMark or toClose
	code   int   // of "-N message", which has the whole error in the line; else 0
	text   string
}

// The two lengths that are not counts.
const (
	toMark  int64 = -1 // to the end mark
	toClose int64 = -2 // to the close of the connection
)

// verdict is what the first bytes of a reply show.
type verdict uint8

const (
	needMore verdict = iota
	noHeader
	isHeader
	badHeader
)

const (
	maxHeader = 512 // bytes of the line
	maxDigits = 32  // bytes within which the number must end
)

// parseHeader looks for a header at the begin b of a reply. n is the length of the header with its line end. eof says that
// b is the whole reply. A text that merely begins with a sign has no header.
func parseHeader(b []byte, eof bool) (h header, n int, v verdict) {
	more := needMore
	if eof {
		more = noHeader
	}
	if len(b) == 0 {
		return h, 0, more
	}
	if b[0] != '+' && b[0] != '-' {
		return h, 0, noHeader
	}
	h.failed = b[0] == '-'
	i := 1
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' && i <= maxDigits {
		i++
	}
	switch {
	case i > maxDigits:
		return h, 0, noHeader
	case i == len(b):
		return h, 0, more
	case i == first, b[i] != '\r' && b[i] != '\n' && b[i] != ' ':
		return h, 0, noHeader
	}
	end := bytes.IndexByte(b[:min(len(b), maxHeader)], '\n')
	if end < 0 {
		if len(b) >= maxHeader {
			return h, 0, noHeader
		}
		return h, 0, more
	}
	h.text = string(bytes.TrimSpace(b[i:end]))
	n = end + 1
	if h.text != "" && !h.failed {
		return h, 0, noHeader
	}
	size, err := strconv.ParseInt(string(b[1:i]), 10, 64)
	switch {
	case err != nil:
		return h, n, badHeader
	case size == toMark, size == toClose:
		h.size = size
	case size < 0:
		return h, n, badHeader
	case h.failed:
		// QUIRK: "-1 message", as UMN's own programs send it, with the code instead of the length.
		h.code, h.size = int(min(size, 1<<16)), toClose
	default:
		h.size = size
	}
	return h, n, isHeader
}

// look returns the buffered bytes without reading them, at least one more than have. err says why there are no more.
func look(in *bufio.Reader, have int) ([]byte, error) {
	_, err := in.Peek(have + 1)
	b, _ := in.Peek(in.Buffered())
	if len(b) > have {
		err = nil
	}
	return b, err
}

// readHeader reads the header of a reply to a Gopher+ request. If ok is false there is none, and nothing has been read.
func (p *peer) readHeader(env *scheme.Env) (h header, ok bool, err error) {
	for have := 0; ; {
		b, err := look(p.in, have)
		if err != nil && err != io.EOF {
			return h, false, p.failed(err)
		}
		have = len(b)
		h, n, v := parseHeader(b, err == io.EOF)
		switch v {
		case noHeader:
			return h, false, nil
		case badHeader:
			return h, false, scheme.Replied(scheme.CodeProtocol, wire.Escape(string(bytes.TrimSpace(b[:n]))), "the length in the Gopher+ header is not valid")
		case isHeader:
			env.Trace.OnReceived(wire.Escape(string(bytes.TrimRight(b[:n], "\r\n"))))
			_, err := p.in.Discard(n)
			return h, true, err
		}
	}
}
