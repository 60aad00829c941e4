package main

import (
	"bufio"
	"context"
	"io"
	"os"

	"locator/internal/symlink"
)

// output returns a buffer for standard output. It is flushed before each read of standard input, so that a program that
// writes one line at a time gets the answer to each.
func (a *app) output() *bufio.Writer {
	out := bufio.NewWriterSize(a.Out, 64<<10)
	a.beforeInput = func() { out.Flush() } // the next Write returns its error
	return out
}

// finish flushes standard output at the end of a verb, and returns the first error.
func finish(out *bufio.Writer, err error) error {
	if flushed := outputError(out.Flush()); err == nil {
		return flushed
	}
	return err
}

// wait returns what f returns, or the error of the context if that ends first. f cannot be cancelled: it is left running.
func wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
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

// input is a reader that ends with a context, although a read of a terminal or pipe cannot be cancelled.
type input struct {
	ctx    context.Context
	in     io.Reader
	before func() // called before each read, if not nil
	buf    []byte // of its own: a read may still fill it after the end of the context
}

// Read implements io.Reader.
func (r *input) Read(b []byte) (int, error) {
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
	n, err := wait(r.ctx, func() (int, error) { return r.in.Read(buf) })
	return copy(b, buf[:n]), err
}

// openFile opens a file and waits no longer than the context: opening a pipe blocks until the other end is open. It follows no link
// that another user may have planted.
func openFile(ctx context.Context, name string, flag int) (*os.File, error) {
	return wait(ctx, func() (*os.File, error) {
		name, err := symlink.Resolve(name)
		if err != nil {
			return nil, err
		}
		h, err := os.OpenFile(name, flag, 0)
		if err == nil && ctx.Err() != nil {
			h.Close()
		}
		return h, err
	})
}
