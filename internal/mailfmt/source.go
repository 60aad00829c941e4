package mailfmt

import (
	"context"
	"io"

	"locator/scheme"
)

// Source returns a reader of a body for [Complete], whose size it checks in each pass. It is an
// io.Seeker if the body can be read again; then no more than a part of the message is in memory.
func Source(ctx context.Context, b scheme.Body) io.Reader {
	if seek, ok := b.Reader.(io.Seeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil { // not so for a pipe
			return &source{Reader: b.Source(ctx), ctx: ctx, b: b, seek: seek, start: at}
		}
	}
	return b.Source(ctx)
}

// source is a body that can be read again.
type source struct {
	io.Reader // of this pass
	ctx       context.Context
	b         scheme.Body
	seek      io.Seeker
	start     int64 // of the body
}

// Seek implements io.Seeker.
func (s *source) Seek(offset int64, whence int) (int64, error) {
	at, err := s.seek.Seek(offset, whence)
	b := s.b
	if size, ok := b.Size.Get(); ok {
		b.Size = scheme.Known(size - (at - s.start))
	}
	s.Reader = b.Source(s.ctx)
	return at, err
}
