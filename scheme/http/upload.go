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

// upload is the body of a request. It is read in a goroutine of its own, so that a source that gives nothing (a
// terminal, a pipe) keeps no cancelled request waiting; and not at all before the server wants it.
type upload struct {
	b     scheme.Body
	start int64 // where a Seeker stood
	seek  io.Seeker
	once  sync.Once // of Commit: a body may be sent again after a login

	octets  atomic.Int64 // read from the source
	ended   atomic.Bool  // the source gave EOF
	sent    atomic.Bool  // the request was sent whole: the server may act
	failed  atomic.Pointer[error]
	current *uploadBody
}

func newUpload(b scheme.Body) *upload {
	u := &upload{b: b}
	if s, ok := b.Reader.(io.Seeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			u.seek, u.start = s, at
		}
	}
	return u
}

// attach makes u the body of req.
func (u *upload) attach(req *nethttp.Request) {
	req.Close = true // else net/http sends the body also after an answer that refuses it
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

// rewind makes the body ready to be sent again, after the connection of a was closed. It reports false where that
// cannot be done.
func (u *upload) rewind(ctx context.Context, a *answer) bool {
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
	u.sent.Store(false)
	u.failed.Store(nil)
	return err == nil
}

// stopTime is how long a source is given to end its last Read, so that the caller has it alone again.
const stopTime = 100 * time.Millisecond

// interrupt ends the reading without a wait, so that net/http ends the request.
func (u *upload) interrupt() {
	if u.current != nil {
		u.current.Close()
	}
}

// stop ends the reading.
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

// problem says what is wrong with the source, after the request has failed or succeeded; nil if nothing is.
func (u *upload) problem() error {
	if err := u.failed.Load(); err != nil {
		return scheme.Fail(scheme.CodeLocal, "reading what is to be sent: %w", *err)
	}
	n := u.octets.Load()
	if size, ok := u.b.Size.Get(); ok && (n > size || u.ended.Load() && n < size) {
		return scheme.Fail(scheme.CodeLocal, "what is to be sent was announced with %d octets and has %d; the server may hold a part of it", size, n)
	}
	return nil
}

// whole reports whether all was read from the source.
func (u *upload) whole() bool {
	size := u.b.Size.Or(-1)
	return size == 0 || u.ended.Load() || size > 0 && u.octets.Load() == size
}

// uploadBody is the body of one try.
type uploadBody struct {
	u       *upload
	r       *io.PipeReader
	w       *io.PipeWriter
	once    sync.Once
	started atomic.Bool
	done    chan struct{} // the source is not read any more
}

func (c *uploadBody) Read(p []byte) (int, error) {
	c.once.Do(func() {
		c.started.Store(true)
		go c.pump()
	})
	return c.r.Read(p)
}

// pump moves the source into the pipe.
func (c *uploadBody) pump() {
	defer close(c.done)
	var src io.Reader = c.u.b
	if c.u.b.Commit != nil || c.u.b.Size.Or(0) > 0 {
		src = &committed{u: c.u}
	}
	buf := make([]byte, 64<<10+1) // and one byte that is held back
	for {
		n, err := src.Read(buf)
		c.u.octets.Add(int64(n))
		if n > 0 {
			if _, err := c.w.Write(buf[:n]); err != nil {
				return // nobody wants it any more
			}
		}
		if err != nil {
			switch err {
			case io.EOF:
				c.u.ended.Store(true)
			case errTooLong: // problem sees it
			default:
				c.u.failed.Store(&err)
			}
			c.w.CloseWithError(err)
			return
		}
	}
}

// commit runs the Commit of the body once.
func (u *upload) commit() (err error) {
	u.once.Do(func() { err = u.b.Pass() })
	return err
}

// errTooLong ends a body that is longer than announced before the server has as much as was announced.
var errTooLong = errors.New("the body is longer than announced")

// committed reads one byte ahead: the last byte of a body is given out when the body is known to have the announced
// size, and after Commit. So a server never takes the beginning of a body for the whole.
type committed struct {
	u      *upload
	ahead  [1]byte
	held   bool // ahead holds a byte
	passed bool
	n      int64 // read from the source
}

func (c *committed) Read(p []byte) (int, error) {
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

// finished reports whether the source is not read any more.
func (c *uploadBody) finished() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Close ends the reading. It does not wait.
func (c *uploadBody) Close() error { return c.r.Close() }
