package main

import (
	"bufio"
	"context"
	"io"
	"os"
)

// output buffers standard output. What is in it goes out before lines of standard input are waited for, so that whoever
// gives a line at a time gets its answer.
func (a *app) output() *bufio.Writer {
	out := bufio.NewWriterSize(a.Out, 64<<10)
	a.beforeInput = func() { out.Flush() } // its error comes back at the next Write
	return out
}

// finish empties the buffer of standard output at the end of a verb that gave err.
func finish(out *bufio.Writer, err error) error {
	if flushed := outputError(out.Flush()); err == nil {
		return flushed
	}
	return err
}

// input is an input that a context ends even while nothing comes: a read of a terminal or pipe cannot be called back,
// so it is left behind with its own buffer.
type input struct {
	ctx    context.Context
	in     io.Reader
	before func() // called before each read, if not nil
	buf    []byte
}

// Read follows io.Reader.
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

// openFile opens a file; a context ends the waiting. A pipe is not open before somebody has opened its other end, and
// that cannot be called back: it is left behind.
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
