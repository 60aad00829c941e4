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
	start int64 // initial offset of seek
	seek  io.Seeker
	// commit calls the Commit function of the body, once: a body may be sent again after a login, but not after Commit failed.
	commit func() error

	octets  atomic.Int64 // bytes read from the source
	ended   atomic.Bool  // the source returned io.EOF
	failed  atomic.Pointer[error]
	current *uploadBody
}

func newUpload(b scheme.Body) *upload {
	u := &upload{b: b, commit: sync.OnceValue(b.Pass)}
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
	c := u.current
	if c == nil || !c.started.Load() {
		return true
	}
	if u.stop(ctx); u.seek == nil || !c.finished() {
		return false
	}
	_, err := u.seek.Seek(u.start, io.SeekStart)
	u.octets.Store(0)
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

// stop stops reading the source, and waits up to stopTime for the last Read.
func (u *upload) stop(ctx context.Context) {
	c := u.current
	if c == nil {
		return
	}
	c.Close()
	if !c.started.Load() {
		return
	}
	t := time.NewTimer(stopTime)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
	case <-ctx.Done():
	}
}

// sourceError returns the error of the source, or nil. It is called after the request has failed or succeeded.
func (u *upload) sourceError() error {
	if err := u.failed.Load(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "cannot read the body to send: %w", *err)
	}
	n := u.octets.Load()
	if size, ok := u.b.Size.Get(); ok && (n > size || u.ended.Load() && n < size) {
		return scheme.Fail(scheme.CodeLocal, "the body was announced with %d bytes and has %d; the server may have stored part of it", size, n)
	}
	return nil
}

// complete reports whether the source was read to its end. Then the whole request may have been sent, and the server may
// act on it.
func (u *upload) complete() bool {
	size := u.b.Size.Or(-1)
	return size == 0 || u.ended.Load() || size > 0 && u.octets.Load() == size
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
	var src io.Reader = c.u.b
	if c.u.b.Commit != nil || c.u.b.Size.Or(0) > 0 {
		src = &commitReader{u: c.u}
	}
	buf := make([]byte, 64<<10+1) // one more for the byte that is held back
	for {
		n, err := src.Read(buf)
		c.u.octets.Add(int64(n))
		if n > 0 {
			if _, err := c.w.Write(buf[:n]); err != nil {
				return // the reader was closed
			}
		}
		if err != nil {
			switch err {
			case io.EOF:
				c.u.ended.Store(true)
			case errTooLong: // reported by sourceError
			default:
				c.u.failed.Store(&err)
			}
			c.w.CloseWithError(err)
			return
		}
	}
}

// errTooLong ends a body that is longer than announced, before all of the announced bytes are sent.
var errTooLong = errors.New("the body is longer than announced")

// commitReader is a reader that holds back the last byte of a body until it is known that the body has the announced size, and
// Commit has succeeded. So a server never mistakes the beginning of a body for the whole.
type commitReader struct {
	u      *upload
	ahead  [1]byte
	held   bool // ahead holds a byte
	passed bool
	n      int64 // read from the source
}

func (c *commitReader) Read(p []byte) (int, error) {
	if c.passed || len(p) < 2 {
		return 0, io.EOF
	}
	n := 0
	if c.held {
		n = copy(p, c.ahead[:])
		c.held = false
	}
	got, err := c.u.b.Read(p[n:])
	n += got
	c.n += int64(got)
	switch size := c.u.b.Size.Or(c.n); {
	case c.n > size:
		c.u.octets.Store(c.n)
		return 0, errTooLong
	case err == io.EOF:
		c.passed = true
		if c.n < size {
			return n, io.EOF
		}
		if err := c.u.commit(); err != nil {
			return 0, err
		}
		return n, io.EOF
	case n > 0 && err == nil:
		n--
		c.ahead[0], c.held = p[n], true
	}
	return n, err
}

// finished reports whether the source is no longer read.
func (c *uploadBody) finished() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Close stops reading the source. It does not wait.
func (c *uploadBody) Close() error { return c.r.Close() }
