package gopher

import (
	"io"

	"locator/scheme"
)

// body is what a peer sends as octets. Reading it to the end or closing it ends the connection.
type body struct {
	p    *peer
	left int64 // octets that were announced; toClose where none were
	text *dots // reads a text; nil for octets
}

// newBody makes the body of a reply. length is a count, toMark or toClose; raw leaves the octets of a text as they come.
func (p *peer) newBody(env *scheme.Env, length int64, text, raw bool) *body {
	b := &body{p: p, left: length}
	if length == toMark || length == toClose && text {
		b.left = toClose
		b.text = newDots(p.in, raw, p.link.mark, env.Tell)
	}
	return b
}

// Read gives octets. A body that ends before its count gives an error that matches io.ErrUnexpectedEOF.
func (b *body) Read(to []byte) (int, error) {
	switch {
	case b.text != nil:
		n, err := b.text.Read(to)
		return n, b.wrap(err)
	case b.left == toClose:
		n, err := b.p.in.Read(to)
		return n, b.wrap(err)
	case b.left == 0:
		// QUIRK: what follows the count is no part of it: UMN gopherd 3.0.5 sends an end mark there (umn-3.0.5, 08).
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

// WriteTo copies the body. One that goes on to the close is left to the connection, which may leave it to the kernel.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.text != nil {
		n, err := b.text.WriteTo(w)
		return n, b.wrap(err)
	}
	// What the header's reader holds already comes first.
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
	return scheme.Fail(scheme.CodeBroken, "the server closed the connection %d octets before the end: %w", b.left, io.ErrUnexpectedEOF)
}

// Close ends the connection.
func (b *body) Close() error { return b.p.Close() }

func (b *body) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return b.p.failed(err)
}
