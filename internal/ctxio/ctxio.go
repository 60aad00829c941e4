// Package ctxio opens files and reads from them no longer than a context lasts, although the system
// cannot cancel the open of a named pipe or the read of a terminal.
package ctxio

import (
	"context"
	"io"
	"os"

	"locator/internal/symlink"
)

// Wait returns what f returns, or the error of the context if that ends first. f cannot be
// cancelled: it is left running.
func Wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	case got := <-done:
		return got.value, got.err
	}
}

// Reader is a reader whose Read ends with a context.
type Reader struct {
	ctx    context.Context
	in     io.Reader
	before func() // may be nil
	buf    []byte // of its own: a read may still fill it after the end of the context
}

// NewReader returns a reader of in. It calls before ahead of each read, if before is not nil.
func NewReader(ctx context.Context, in io.Reader, before func()) *Reader {
	return &Reader{ctx: ctx, in: in, before: before}
}

// Read implements io.Reader.
func (r *Reader) Read(b []byte) (int, error) {
	if r.before != nil {
		r.before()
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.buf == nil {
		r.buf = make([]byte, 64<<10)
	}
	buf := r.buf[:min(len(b), len(r.buf))]
	n, err := Wait(r.ctx, func() (int, error) { return r.in.Read(buf) })
	return copy(b, buf[:n]), err
}

// OpenFile opens a file and waits no longer than the context: opening a pipe blocks until the other
// end is open. It follows no link that another user may have planted.
func OpenFile(ctx context.Context, name string, flag int) (*os.File, error) {
	return Wait(ctx, func() (*os.File, error) {
		name, err := symlink.Resolve(name)
		if err != nil {
			return nil, err
		}
		h, err := os.OpenFile(name, flag, 0)
		if err == nil && ctx.Err() != nil {
			h.Close()
			return nil, ctx.Err()
		}
		return h, err
	})
}

// IsRegular reports whether a stream is a regular file, whose reads do not wait.
func IsRegular(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
