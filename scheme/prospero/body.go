package prospero

import (
	"context"
	"io"
	"strings"

	"locator/scheme"
)

// body is the content of an object: the values of the CONTENTS lines of a response.
type body struct {
	ctx   context.Context
	reply *reply
	piece io.Reader // of the line that is being read
	size  scheme.Count
	some  bool // there was a line with content, which may be empty
	n     int64
	err   error
}

// line takes the next line of the response.
func (b *body) line(tokens []string, value, end bool) error {
	switch {
	case end:
		b.err = b.complete()
	case value:
		b.piece, b.some = b.reply.text.Value(), true
	case len(tokens) > len(contentsLine) && isContents(append(append([]string(nil), tokens[:len(contentsLine)-1]...), "DATA")) && tokens[len(contentsLine)-1] == "TAGGED":
		b.some = true
		b.piece = strings.NewReader(tokens[len(contentsLine)] + ": " + strings.Join(tokens[len(contentsLine)+1:], " ") + "\n")
	case tokens[0] == "NONE-FOUND":
		return scheme.Fail(scheme.CodeNotFound, "the server has no content of the object")
	}
	return nil // any other line is an attribute that was not asked for
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for b.err == nil {
		if b.piece == nil {
			tokens, value, err := b.reply.line(b.ctx)
			if err != nil && err != io.EOF {
				b.err = err
			} else if err := b.line(tokens, value, err == io.EOF); err != nil {
				b.err = err
			}
			continue
		}
		n, err := b.piece.Read(p)
		b.n += int64(n)
		if err == io.EOF {
			if b.piece, err = nil, nil; b.reply.text.Cut() { // without quotes nothing else shows it
				err = scheme.Fail(scheme.CodeBroken, "the response ends within a line: %w", io.ErrUnexpectedEOF)
			}
		}
		if err != nil {
			b.err = b.reply.failed(b.ctx, err)
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, b.err
}

// complete returns io.EOF, or an error if there was no content, or it has not the size that the
// server announced.
func (b *body) complete() error {
	if !b.some {
		return scheme.Fail(scheme.CodeBroken, "the response has no content: %w", io.ErrUnexpectedEOF)
	}
	if size, ok := b.size.Get(); ok && size != b.n {
		return scheme.Fail(scheme.CodeBroken, "the server announced %d bytes and sent %d", size, b.n)
	}
	return io.EOF
}

// Close ends the exchange.
func (b *body) Close() error { return b.reply.Close() }
