package http

import (
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"sync"
	"sync/atomic"
	"time"

	"locator/scheme"
)

// upload is the body of a request. A goroutine reads it, so that a blocked source (a terminal, a pipe) does not delay
// cancellation. Reading starts when the server has asked for the body.
type upload struct {
	b     scheme.Body
	src   *scheme.Source
	start int64 // initial offset of seek
	seek  io.Seeker
	// commit calls the Commit function of the body, once: a body may be sent again after a login, but not after Commit failed.
	commit func() error

	passed  atomic.Int64 // bytes passed to net/http
	ended   atomic.Bool  // the source returned io.EOF
	failed  atomic.Pointer[error]
	current *uploadBody
}

func newUpload(ctx context.Context, b scheme.Body) *upload {
	u := &upload{b: b, src: b.Source(ctx), commit: sync.OnceValue(b.Pass)}
	if s, ok := b.Reader.(io.Seeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			u.seek, u.start = s, at
		}
	}
	return u
}

// attach makes u the body of req.
func (u *upload) attach(req *nethttp.Request) {
	req.Close = true // otherwise net/http sends the body even after a response that refuses it
	if u.b.Type != "" {
		req.Header.Set("Content-Type", u.b.Type)
	}
	req.ContentLength = u.b.Size.Or(-1)
	if req.ContentLength == 0 {
		req.Body = nethttp.NoBody
		return
	}
	req.Header.Set("Expect", "100-continue")
	r, w := io.Pipe()
	u.current = &uploadBody{u: u, r: r, w: w, done: make(chan struct{})}
	req.Body = u.current
}

// rewind closes the connection of a and prepares the body to be sent again. It returns false if that is not possible.
func (u *upload) rewind(ctx context.Context, a *response) bool {
	a.close()
	if u.current == nil || !u.current.started.Load() {
		return true
	}
	if !u.stop(ctx) || u.seek == nil {
		return false
	}
	_, err := u.seek.Seek(u.start, io.SeekStart)
	u.src = u.b.Source(ctx)
	u.passed.Store(0)
	u.ended.Store(false)
	u.failed.Store(nil)
	return err == nil
}

// stopTime is how long stop waits for the last Read of the source, so that the caller can use the source again.
const stopTime = 100 * time.Millisecond

// interrupt stops reading the source without waiting, so that net/http ends the request.
func (u *upload) interrupt() {
	if u.current != nil {
		u.current.Close()
	}
}

// stop stops reading the source, and waits up to stopTime for the last Read. It reports whether that has returned.
func (u *upload) stop(ctx context.Context) bool {
	c := u.current
	if c == nil {
		return true
	}
	c.Close()
	if !c.started.Load() {
		return true
	}
	t := time.NewTimer(stopTime)
	defer t.Stop()
	select {
	case <-c.done:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// sourceError returns the error of the source, or nil. It is called after the request has failed or succeeded.
func (u *upload) sourceError() error {
	if err := u.failed.Load(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w; the server may have stored part of it", *err)
	}
	return nil
}

// complete reports whether the source was read to its end. Then the whole request may have been sent, and the server may
// act on it.
func (u *upload) complete() bool {
	size := u.b.Size.Or(-1)
	return size == 0 || u.ended.Load() || size > 0 && u.passed.Load() == size
}

// wait waits until the whole body is sent. A server may respond before that; it is an error if the body is not sent to
// its end.
func (u *upload) wait(ctx context.Context) error {
	if c := u.current; c != nil {
		if !c.started.Load() {
			return scheme.Fail(scheme.CodeProtocol, "the server reported success before the body was sent")
		}
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := u.sourceError(); err != nil {
		return err
	}
	if !u.complete() {
		return scheme.Fail(scheme.CodeBroken, "the server reported success but closed the connection after %d bytes of the body", u.passed.Load())
	}
	return nil
}

// uploadBody is the body of one attempt to send an upload.
type uploadBody struct {
	u       *upload
	r       *io.PipeReader
	w       *io.PipeWriter
	once    sync.Once
	started atomic.Bool
	done    chan struct{} // closed when the source is no longer read
}

func (c *uploadBody) Read(p []byte) (int, error) {
	c.once.Do(func() {
		c.started.Store(true)
		go c.pump()
	})
	return c.r.Read(p)
}

// pump copies the source to the pipe.
func (c *uploadBody) pump() {
	defer close(c.done)
	err := c.u.copyTo(c.w)
	switch err {
	case io.EOF:
		c.u.ended.Store(true)
	case errStopped:
	default:
		c.u.failed.Store(&err)
	}
	c.w.CloseWithError(err)
}

// errStopped ends a body that is not needed any more.
var errStopped = errors.New("the body is not read any more")

// copyTo copies the source to w and returns the error that ends it, io.EOF at the end of the source. If the size is known, or
// the body has a Commit function, it holds back the last byte until the source has ended with that size, and Commit has
// succeeded. So a server never mistakes the beginning of a body for the whole.
func (u *upload) copyTo(w io.Writer) error {
	_, known := u.b.Size.Get()
	hold := u.b.Commit != nil || known
	buf := make([]byte, 64<<10+1) // one more for the byte that is held back
	held := 0                     // 1 if buf[0] is held back
	for {
		got, err := u.src.Read(buf[held:])
		n := held + got
		held = 0
		switch {
		case err == io.EOF:
			if err := u.commit(); err != nil {
				return err
			}
		case err != nil:
			return err
		case hold && n > 0:
			held = 1
		}
		u.passed.Add(int64(n - held))
		if n > held {
			if _, err := w.Write(buf[:n-held]); err != nil {
				return errStopped
			}
		}
		if held > 0 {
			buf[0] = buf[n-1]
		}
		if err != nil {
			return err
		}
	}
}

// Close stops reading the source. It does not wait.
func (c *uploadBody) Close() error { return c.r.Close() }
