package scheme

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// Read reads from b.Reader. A nil Reader is empty.
func (b Body) Read(p []byte) (int, error) {
	if b.Reader == nil {
		return 0, io.EOF
	}
	return b.Reader.Read(p)
}

// Pass calls Commit, if it is not nil. A scheme must call it before the step after which the server
// may act. An error has the code CodeLocal.
func (b Body) Pass() error {
	if b.Commit == nil {
		return nil
	}
	if err := b.Commit(); err != nil {
		return Fail(CodeLocal, "%w", err)
	}
	return nil
}

// Source returns a reader of b that checks its size. Reads fail after ctx has ended.
func (b Body) Source(ctx context.Context) *Source { return &Source{ctx: ctx, b: b} }

// Source reads a [Body]. Its errors have the code CodeLocal: the Body cannot be read, or it has
// another size than announced. A scheme must read it up to io.EOF, even if the announced size is 0.
type Source struct {
	ctx context.Context
	b   Body
	n   atomic.Int64
}

// Read implements io.Reader. If the body is longer than announced, none of the bytes that exceed
// the size are returned, nor are those read together with them.
func (s *Source) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.b.Read(p)
	if s.ctx.Err() != nil { // what was read after the end of ctx must not be sent
		return 0, context.Cause(s.ctx)
	}
	got := s.n.Add(int64(n))
	size, known := s.b.Size.Get()
	switch {
	case known && got > size:
		return 0, Fail(CodeLocal, "the body was announced with %d bytes and has more", size)
	case err == io.EOF && known && got < size:
		return n, Fail(CodeLocal, "the body was announced with %d bytes and has %d", size, got)
	case err != nil && err != io.EOF:
		return n, Fail(CodeLocal, "cannot read the body: %w", err)
	}
	return n, err
}

// BytesRead returns how many bytes were read. It may be called during a Read.
func (s *Source) BytesRead() int64 { return s.n.Load() }

// stopTime is how long Do waits for the last Read of a body, so that the caller can use its Reader
// again.
const stopTime = 100 * time.Millisecond

// Do calls f, which copies s and returns the number of bytes, in a goroutine, and returns its
// results. If ctx ends first, Do returns BytesRead and the cause: a Read of the body may block, and
// f ends only when it returns.
func (s *Source) Do(f func() (int64, error)) (int64, error) {
	type result struct {
		n   int64
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := f()
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-s.ctx.Done():
	}
	t := time.NewTimer(stopTime)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
	return s.BytesRead(), context.Cause(s.ctx)
}
