package http

import (
	"bytes"
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"sync"
	"sync/atomic"
	"time"

	"locator/scheme"
)

// upload is the body of a request. A small one is read before the request is sent. A goroutine
// reads a large one, so that a blocked source (a terminal, a pipe) does not delay cancellation.
type upload struct {
	b     scheme.Body
	data  []byte // all of the body, if it is small
	src   *scheme.Source
	start int64 // initial offset of seek
	seek  io.Seeker
	// commit calls the Commit function of the body, once: a body may be sent again after a login,
	// but not after Commit failed.
	commit func() error

	asked   atomic.Bool  // the server has sent 100 Continue
	passed  atomic.Int64 // bytes passed to net/http
	ended   atomic.Bool  // the source returned io.EOF
	failed  atomic.Pointer[error]
	tap     *tap        // of the connection
	current *uploadBody // nil for a small body
}

// newUpload returns the body b. It reads a small one.
func newUpload(ctx context.Context, b scheme.Body) (*upload, error) {
	u := &upload{b: b, src: b.Source(ctx), commit: sync.OnceValue(b.Pass)}
	if s, ok := b.Reader.(io.Seeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			u.seek, u.start = s, at
		}
	}
	if u.large() {
		return u, nil
	}
	data := bytes.NewBuffer(make([]byte, 0, b.Size.Or(0)+bytes.MinRead))
	if _, err := u.src.Do(func() (int64, error) { return data.ReadFrom(u.src) }); err != nil {
		return nil, err
	}
	u.data = data.Bytes()
	return u, u.commit()
}

// largeSize is the size from which on a body is large.
const largeSize = 1 << 20

// large reports whether the server is asked before the body is sent, by "Expect: 100-continue"
// (RFC 9110 10.1.1), so that it can refuse the request. A server that does not know this costs
// continueTime. A Commit function must not be called for a request that is refused, and a body of
// unknown size may be large.
func (u *upload) large() bool {
	size := u.b.Size.Or(largeSize)
	return size >= largeSize || size > 0 && u.b.Commit != nil
}

// attach makes u the body of req.
func (u *upload) attach(req *nethttp.Request) {
	if u.b.Type != "" {
		req.Header.Set("Content-Type", u.b.Type)
	}
	req.ContentLength = u.b.Size.Or(-1)
	switch {
	case u.large():
		req.Header.Set("Expect", "100-continue")
		r, w := io.Pipe()
		u.current = &uploadBody{u: u, r: r, w: w, done: make(chan struct{})}
		req.Body = u.current
	case len(u.data) > 0:
		req.Body = io.NopCloser(bytes.NewReader(u.data)) // net/http sends a small one together with the header
	default:
		req.Body = nethttp.NoBody
	}
}

// interrupt stops reading the source without waiting, so that net/http ends the request.
func (u *upload) interrupt() {
	if u.current != nil {
		u.current.Close()
	}
}

// begun reports whether the server may have got the beginning of the body, or all of it.
func (u *upload) begun() bool { return u.current == nil || u.current.started.Load() }

// rewind prepares the body to be sent again with req. It returns false if that is not possible.
func (u *upload) rewind(ctx context.Context, req *nethttp.Request) bool {
	if u.current != nil && u.current.started.Load() {
		if !u.stop(ctx) || u.seek == nil {
			return false
		}
		if _, err := u.seek.Seek(u.start, io.SeekStart); err != nil {
			return false
		}
		u.src = u.b.Source(ctx)
	}
	u.asked.Store(false)
	u.passed.Store(0)
	u.ended.Store(false)
	u.failed.Store(nil)
	u.attach(req)
	return true
}

// stopTime is how long stop waits for the last Read of the source, so that the caller can use the
// source again.
const stopTime = 100 * time.Millisecond

// stop stops reading the source, and waits up to stopTime for the last Read. It reports whether
// that has returned.
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

// sourceError returns the error of the source, or nil. It is called after the request has failed or
// succeeded.
func (u *upload) sourceError() error {
	if err := u.failed.Load(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w; the server may have stored part of it", *err)
	}
	return nil
}

// complete reports whether the whole request may have been sent. Then the server may act on it.
func (u *upload) complete() bool {
	if u.tap.cutOff() {
		return false
	}
	return u.current == nil || u.ended.Load() || u.passed.Load() == u.b.Size.Or(-1)
}

// wait waits until the body is sent. A server may respond before that (RFC 9110 10.1.1), and then
// nothing of the body is sent. Once it is begun, it is an error if it is not sent to its end and
// the server has asked for it, or needs all of it since it replaces what is there.
func (u *upload) wait(ctx context.Context, replaces bool) error {
	if u.current == nil || !u.current.started.Load() {
		return nil
	}
	select {
	case <-u.current.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := u.sourceError(); err != nil {
		return err
	}
	if (u.asked.Load() || replaces) && !u.complete() {
		return scheme.Fail(scheme.CodeBroken, "the server reported success, but closed the connection before all of the body was sent")
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

// Read starts to read the source, unless the server has responded already: net/http wants to send
// the body even then. Read waits for Close in that case, since an error would hide the response.
func (c *uploadBody) Read(p []byte) (int, error) {
	c.once.Do(func() {
		if c.u.tap.responded() {
			return
		}
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

// copyTo copies the source to w and returns the error that ends it, io.EOF at the end of the
// source. If the size is known, or the body has a Commit function, it holds back the last byte
// until the source has ended with that size, and Commit has succeeded. So a server never mistakes
// the beginning of a body for the whole.
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
