package gopher

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

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

// maxHeader bounds the line of a header, in bytes.
const maxHeader = 512

// parseHeader looks for a header at the begin b of a reply. n is the length of the header with its
// line end. eof says that b is the whole reply. A text that merely begins with a sign has no
// header.
func parseHeader(b []byte, eof bool) (h header, n int, v verdict) {
	end := bytes.IndexByte(b[:min(len(b), maxHeader)], '\n')
	switch {
	case len(b) > 0 && b[0] != '+' && b[0] != '-', end < 0 && (eof || len(b) >= maxHeader):
		return h, 0, noHeader
	case end < 0:
		return h, 0, needMore
	}
	number, text, _ := strings.Cut(strings.TrimRight(string(b[1:end]), " \r"), " ")
	h.failed, h.text = b[0] == '-', strings.TrimSpace(text)
	size, err := strconv.ParseInt(number, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax), number[0] == '+', h.text != "" && !h.failed:
		return h, 0, noHeader
	case err != nil, size < toClose:
		return h, end + 1, badHeader
	case h.failed && size >= 0:
		// QUIRK: "-1 message", as UMN's own programs send it, with the code instead of the length.
		h.code, h.size = int(min(size, 1<<16)), toClose
	default:
		h.size = size
	}
	return h, end + 1, isHeader
}

// peek calls done with the bytes that have arrived, without reading them, until done returns true,
// the reply has ended (eof), or the buffer is full. It returns the bytes. size is the length of the
// reply if it is known, else negative.
func (p *conn) peek(size int64, done func(b []byte, eof bool) bool) (b []byte, err error) {
	defer p.idle.sawEndMark(false)
	p.wire.StartLine()
	defer p.wire.StopLine()
	for {
		eof := size >= 0 && int64(len(b)) >= size
		if eof {
			b = b[:size]
		}
		if done(b, eof) || eof {
			return b, nil
		}
		p.idle.sawEndMark(endsInMark(b))
		_, err := p.in.Peek(len(b) + 1)
		more, _ := p.in.Peek(p.in.Buffered())
		switch {
		case len(more) > len(b):
			b = more
		case err == io.EOF:
			done(b, true)
			return b, nil
		case err == bufio.ErrBufferFull:
			return b, nil
		default:
			return nil, p.failed(err)
		}
	}
}

// endsInMark reports whether the last line of b is an end mark.
func endsInMark(b []byte) bool {
	b, ok := bytes.CutSuffix(b, []byte{'\n'})
	b = bytes.TrimSuffix(b, []byte{'\r'})
	return ok && (string(b) == endMark || bytes.HasSuffix(b, []byte("\n"+endMark)))
}

// readHeader reads the header of a reply to a Gopher+ request. If ok is false there is none, and
// nothing has been read.
func (p *conn) readHeader(env *scheme.Env) (h header, ok bool, err error) {
	var n int
	var v verdict
	b, err := p.peek(-1, func(b []byte, eof bool) bool {
		h, n, v = parseHeader(b, eof)
		return v != needMore
	})
	switch {
	case err != nil || v == noHeader:
		return h, false, err
	case v == badHeader:
		return h, false, scheme.Replied(scheme.CodeProtocol, wire.Escape(string(bytes.TrimSpace(b[:n]))), "the length in the Gopher+ header is not valid")
	}
	env.Trace.OnReceived(wire.Escape(string(bytes.TrimRight(b[:n], "\r\n"))))
	_, err = p.in.Discard(n)
	return h, true, err
}
