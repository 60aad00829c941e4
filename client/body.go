package client

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
	"syscall"

	"locator/scheme"
)

// body is the body of a resource. It enforces Limits.Body, calls Progress, and wraps errors.
type body struct {
	op   *operation
	ctx  context.Context
	in   io.ReadCloser
	left int64 // bytes that may still be read; -1 means no limit

	mu      sync.Mutex
	cancel  context.CancelFunc // ends the context that in was opened with; nil if others use that context
	reading bool               // in is in use by Read or WriteTo
	closed  bool
}

func (op *operation) body(ctx context.Context, in io.ReadCloser) io.ReadCloser {
	b := &body{op: op, ctx: ctx, in: in, left: -1}
	if limit := op.r.Limits.Body; limit > 0 {
		b.left = limit
	}
	return b
}

func (b *body) Read(p []byte) (n int, err error) {
	if err := b.begin(); err != nil {
		return 0, err
	}
	defer func() { err = b.end(err) }()
	return b.read(p)
}

func (b *body) read(p []byte) (int, error) {
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

// WriteTo uses the WriterTo of the wrapped body if there is no limit and no Progress, so that the
// kernel can splice.
func (b *body) WriteTo(w io.Writer) (n int64, err error) {
	if wt, ok := b.in.(io.WriterTo); ok && b.left < 0 && b.op.r.Progress == nil {
		if err := b.begin(); err != nil {
			return 0, err
		}
		defer func() { err = b.end(err) }()
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

// copyGrowing doubles its buffer from minBuffer to maxBuffer while reads fill it. Large, fast
// bodies take fewer reads (see docs/internals/performance.md); small ones use little memory.
const (
	minBuffer = 2 << 10
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

// begin returns an error if b is closed. Otherwise the caller may use b.in until it calls end.
func (b *body) begin() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return b.errClosed()
	}
	b.reading = true
	return nil
}

// end closes b.in if Close was called since begin, and returns the error that Read or WriteTo
// returns instead of err.
func (b *body) end(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reading = false; !b.closed {
		return err
	}
	_ = b.release() // Close has returned
	if err != nil && err != io.EOF {
		err = b.errClosed()
	}
	return err
}

func (b *body) errClosed() error {
	return b.op.wrapCode(scheme.CodeInterrupted, &textError{"the body was closed", fs.ErrClosed})
}

// Close may be called more than once, and while another goroutine or the writer of WriteTo is in a
// Read. It does not wait for that Read, but ends it by cancelling its context; b.in is closed after
// it. So a scheme needs no lock for its bodies.
func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	if b.closed = true; !b.reading {
		return b.release()
	}
	if b.cancel != nil {
		b.cancel()
	}
	return nil
}

// release closes b.in.
func (b *body) release() error {
	err := b.wrap(b.in.Close())
	if b.cancel != nil {
		b.cancel()
	}
	return err
}

// noBody is the Body of a resource without one, such as a directory, so that a caller that expects
// a file gets an error.
type noBody struct{ err error }

func (b noBody) Read([]byte) (int, error) { return 0, b.err }
func (b noBody) Close() error             { return nil }

func (b *body) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
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

// writerFailed reports whether err is an error of the writer. outWriter records none if the writer
// implements io.ReaderFrom. Only writing fails with EPIPE. Package os reports the other errors as
// failed writes of the file; a connection reports its own as read errors (netdial.Conn).
func writerFailed(err error) bool {
	path, ok := errors.AsType[*fs.PathError](err)
	return ok && path.Op == "write" || errors.Is(err, syscall.EPIPE)
}

// writer returns o. The result implements io.ReaderFrom if the wrapped writer does, which lets the
// kernel splice.
func (o *outWriter) writer() io.Writer {
	if rf, ok := o.w.(io.ReaderFrom); ok {
		return struct {
			*outWriter
			io.ReaderFrom
		}{o, rf}
	}
	return o
}
