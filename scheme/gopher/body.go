package gopher

import (
	"io"

	"locator/scheme"
)

// body is the content that a server sends. Close closes the connection.
type body struct {
	p    *peer
	left int64        // bytes still to come, as announced; toClose if no count was
	text *textDecoder // nil if the bytes are not decoded
}

// body returns the body of a reply. text says that a reply to the close is a text, which has an end mark and doubled dots.
// With raw a text is returned as received.
func (a *reply) body(text, raw bool) *body {
	b := &body{p: a.peer, left: a.length}
	if a.length == toMark || a.length == toClose && text && a.plain {
		b.left = toClose
		b.text = newTextDecoder(a.in, raw, a.idle.sawEndMark, a.env.Tell)
	}
	return b
}

// Read implements io.Reader. For a body that ends before its count the error matches io.ErrUnexpectedEOF.
func (b *body) Read(to []byte) (int, error) {
	switch {
	case b.text != nil:
		n, err := b.text.Read(to)
		return n, b.wrap(err)
	case b.left == toClose:
		n, err := b.p.in.Read(to)
		return n, b.wrap(err)
	case b.left == 0:
		// QUIRK: UMN gopherd 3.0.5 sends an end mark after the counted bytes (umn-3.0.5, 08). It is not part of the body.
		return 0, io.EOF
	}
	if int64(len(to)) > b.left {
		to = to[:b.left]
	}
	n, err := b.p.in.Read(to)
	b.left -= int64(n)
	if err == io.EOF {
		err = nil
		if b.left > 0 {
			err = b.short()
		}
	}
	return n, b.wrap(err)
}

// WriteTo implements io.WriterTo. It copies from the connection itself, so that the kernel may splice.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.text != nil {
		n, err := b.text.WriteTo(w)
		return n, b.wrap(err)
	}
	// The bytes that are buffered already come first.
	have := int64(b.p.in.Buffered())
	if b.left != toClose {
		have = min(have, b.left)
	}
	total, err := io.CopyN(w, b.p.in, have)
	if b.left == toClose {
		if err == nil {
			var n int64
			n, err = io.Copy(w, b.p.conn)
			total += n
		}
		return total, b.wrap(err)
	}
	b.left -= total
	if err == nil && b.left > 0 {
		var n int64
		n, err = scheme.CopyN(w, b.p.conn, b.left)
		total += n
		b.left -= n
		if err == nil && b.left > 0 {
			err = b.short()
		}
	}
	return total, b.wrap(err)
}

func (b *body) short() error {
	return scheme.Fail(scheme.CodeBroken, "the server closed the connection %d bytes before the end: %w", b.left, io.ErrUnexpectedEOF)
}

// Close closes the connection.
func (b *body) Close() error { return b.p.Close() }

func (b *body) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return b.p.failed(err)
}
