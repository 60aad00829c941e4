package client

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync/atomic"
	"syscall"

	"locator/scheme"
)

// body is the body of a resource. It enforces Limits.Body, calls Progress, and wraps errors.
type body struct {
	op   *operation
	ctx  context.Context
	in   io.ReadCloser
	left int64 // bytes that may still be read; -1 is no limit
	done func()

	closed atomic.Bool
}

func (op *operation) body(ctx context.Context, in io.ReadCloser) io.ReadCloser {
	b := &body{op: op, ctx: ctx, in: in, left: -1}
	if limit := op.r.Limits.Body; limit > 0 {
		b.left = limit
	}
	return b
}

// errBodyClosed is the error of a Read after Close. It matches fs.ErrClosed.
var errBodyClosed = scheme.Fail(scheme.CodeUsage, "the body was read after Close: %w", fs.ErrClosed)

func (b *body) Read(p []byte) (int, error) {
	if b.closed.Load() { // before the context, which ends with Close
		return 0, b.wrap(errBodyClosed)
	}
	if err := b.ctx.Err(); err != nil { // buffered data is not returned after cancellation
		return 0, b.wrap(err)
	}
	n, err := b.in.Read(p)
	if b.left >= 0 {
		if int64(n) > b.left {
			n, err = int(b.left), scheme.Fail(scheme.CodeBroken, "the body exceeds the limit of %d bytes", b.op.r.Limits.Body)
		}
		b.left -= int64(n)
	}
	if n > 0 && b.op.r.Progress != nil {
		b.op.r.Progress(b.op.r.URL, n)
	}
	return n, b.wrap(err)
}

// WriteTo uses the WriterTo of the wrapped body if there is no limit and no Progress, so that the kernel can splice.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.closed.Load() {
		return 0, b.wrap(errBodyClosed)
	}
	if wt, ok := b.in.(io.WriterTo); ok && b.left < 0 && b.op.r.Progress == nil {
		out := &outWriter{w: w}
		n, err := wt.WriteTo(out.writer())
		switch {
		case out.err != nil: // a failure of the caller's writer is not wrapped as the server's
			return n, out.err
		case writerFailed(err):
			return n, err
		}
		return n, b.wrap(err)
	}
	return copyGrowing(w, b)
}

// copyGrowing doubles its buffer from minBuffer to maxBuffer while reads fill it. Large, fast bodies take fewer reads (see
// docs/internals/performance.md); small ones use little memory.
const (
	minBuffer = 16 << 10
	maxBuffer = 256 << 10
)

// copyGrowing is io.Copy with a growing buffer. It uses neither WriterTo nor ReaderFrom.
func copyGrowing(w io.Writer, r io.Reader) (n int64, err error) {
	for buf := make([]byte, minBuffer); ; {
		got, err := r.Read(buf)
		if got > 0 {
			put, err := w.Write(buf[:got])
			n += int64(put)
			if err == nil && put < got {
				err = io.ErrShortWrite
			}
			if err != nil {
				return n, err
			}
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		case got == len(buf) && got < maxBuffer:
			buf = make([]byte, 2*got)
		}
	}
}

func (b *body) Close() error {
	b.closed.Store(true)
	err := b.in.Close()
	if err != nil {
		err = b.op.wrap(b.ctx, err)
	}
	if b.done != nil {
		b.done()
	}
	return err
}

func (b *body) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if b.closed.Load() { // during the Read
		return b.op.wrap(context.Background(), errBodyClosed)
	}
	return b.op.wrap(b.ctx, err)
}

// outWriter records the error of its writer, so that the caller can tell it from a read error.
type outWriter struct {
	w   io.Writer
	err error
}

func (o *outWriter) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.err = err
	}
	return n, err
}

// writerFailed reports whether err is an error of the writer. outWriter records none if the writer implements io.ReaderFrom.
// Only writing fails with EPIPE. Package os reports the other errors as failed writes of the file; a connection reports its own
// as read errors (netdial.Conn).
func writerFailed(err error) bool {
	path, ok := errors.AsType[*fs.PathError](err)
	return ok && path.Op == "write" || errors.Is(err, syscall.EPIPE)
}

// writer returns o. The result implements io.ReaderFrom if the wrapped writer does, which lets the kernel splice.
func (o *outWriter) writer() io.Writer {
	if rf, ok := o.w.(io.ReaderFrom); ok {
		return struct {
			*outWriter
			io.ReaderFrom
		}{o, rf}
	}
	return o
}
