package main

import (
	"bufio"
	"context"
	"io"
	"os"
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

// input is a reader that ends with a context. A read of a terminal or pipe cannot be cancelled, so it is left running in a
// goroutine, with a buffer of its own.
type input struct {
	ctx    context.Context
	in     io.Reader
	before func() // called before each read, if not nil
	buf    []byte
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
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	buf := r.buf[:min(len(b), len(r.buf))]
	go func() {
		n, err := r.in.Read(buf)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(b, buf[:got.n]), got.err
	}
}

// openFile opens a file and waits no longer than the context. Opening a pipe blocks until the other end is open; that cannot be
// cancelled, so it is left running in a goroutine.
func openFile(ctx context.Context, name string, flag int) (*os.File, error) {
	type result struct {
		h   *os.File
		err error
	}
	done := make(chan result)
	go func() {
		h, err := os.OpenFile(name, flag, 0)
		select {
		case done <- result{h, err}:
		case <-ctx.Done():
			if err == nil {
				h.Close()
			}
		}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case got := <-done:
		return got.h, got.err
	}
}
