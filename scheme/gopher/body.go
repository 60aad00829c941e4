package gopher

import (
	"io"
	"math"

	"locator/scheme"
	"locator/wire"
)

// body is the content that a server sends. Close closes the connection.
type body struct {
	*conn
	left    int64        // bytes that may still come
	counted bool         // left is announced
	text    *textDecoder // nil if the bytes are not decoded
	marked  *unmarked    // nil if the bytes cannot have an end mark
}

// body returns the body of a reply. text says that a reply to the close is a text, which has an end
// mark and doubled dots. With raw it is returned as received.
func (a *reply) body(text, raw bool) *body {
	b := &body{conn: a.conn, left: math.MaxInt64}
	switch {
	case a.length >= 0:
		b.left, b.counted = a.length, true
	case a.length == toMark, text && a.plain:
		b.text = newTextDecoder(a.in, raw, a.idle.sawEndMark, a.env.Tell)
	case !raw && a.plain && trueType(a.q.typ, a.q.selector) != a.q.typ:
		b.marked = &unmarked{in: a.in}
	}
	return b
}

// Read implements io.Reader. For a body that ends before its count the error matches
// io.ErrUnexpectedEOF.
func (b *body) Read(to []byte) (n int, err error) {
	switch {
	case b.text != nil:
		n, err = b.text.Read(to)
	case b.marked != nil:
		n, err = b.marked.Read(to)
	case b.left == 0:
		// QUIRK: UMN gopherd 3.0.5 sends an end mark after the counted bytes (umn-3.0.5, 08). It is
		// not part of the body.
		err = io.EOF
	default:
		n, err = b.in.Read(to[:min(int64(len(to)), b.left)])
		b.left -= int64(n)
		if err == io.EOF && b.counted {
			err = b.short()
		}
	}
	if err != nil && err != io.EOF {
		err = b.failed(err)
	}
	return n, err
}

// WriteTo implements io.WriterTo. It copies from the connection itself, so that the kernel may
// splice.
func (b *body) WriteTo(w io.Writer) (n int64, err error) {
	switch {
	case b.text != nil:
		n, err = b.text.WriteTo(w)
	case b.marked != nil:
		n, err = io.Copy(w, b.marked)
	default:
		// The bytes that are buffered already come first.
		n, err = io.CopyN(w, b.in, min(int64(b.in.Buffered()), b.left))
		if err == nil && !b.idle.ended { // else the connection is closed
			var more int64
			more, err = wire.CopyN(w, b.over, b.left-n)
			n += more
		}
		if b.left -= n; err == nil && b.counted {
			err = b.short()
		}
	}
	if err != nil {
		err = b.failed(err)
	}
	return n, err
}

// short returns the error of a body that ended before its count, nil if it has not.
func (b *body) short() error {
	if b.left == 0 {
		return nil
	}
	return scheme.Fail(scheme.CodeBroken, "the server closed the connection %d bytes before the end: %w", b.left, io.ErrUnexpectedEOF)
}
