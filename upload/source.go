package upload

import (
	"context"
	"errors"
	"io"
	"sync"

	"golang.org/x/time/rate"

	"locator/transfer"
)

// source is the data of an upload, for all its attempts.
type source struct {
	r        io.Reader
	seek     io.Seeker // nil if the data can be read once only
	start    int64     // initial offset of seek
	progress func(n int)
	moved    bool // an attempt has read some of it
}

func newSource(r io.Reader, progress func(n int)) *source {
	s := &source{r: r, progress: progress}
	if seek, ok := r.(io.Seeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil { // not so for a pipe
			s.seek, s.start = seek, at
		}
	}
	if s.r == nil {
		s.r = eof{}
	}
	if s.progress == nil {
		s.progress = func(int) {}
	}
	return s
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// attempt returns a reader of the data behind the first offset bytes, for one attempt. It is an
// io.Seeker if the data can be read again, since a scheme sends them again after a login.
func (s *source) attempt(ctx context.Context, offset int64, limit *rate.Limiter) (*attempt, io.Reader, error) {
	a := &attempt{s: s}
	limited := transfer.Limit(ctx, reader{a}, limit)
	if s.seek == nil {
		return a, limited, nil
	}
	at, err := s.seek.Seek(s.start+offset, io.SeekStart)
	a.at = at
	return a, struct {
		io.Reader
		io.Seeker
	}{limited, a}, err
}

// attempt is the data as one attempt reads them. When it has ended, a read that a scheme has left
// running reads nothing more.
type attempt struct {
	s *source

	mu    sync.Mutex
	at    int64 // position in the source, or the bytes read if it has none
	read  bool
	ended bool
}

var errEnded = errors.New("the attempt to send the data has ended")

// reader hides the Seek of an attempt, which a limit on its reads would bypass.
type reader struct{ a *attempt }

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	a := r.a
	if a.s.seek == nil { // a read may block, and another attempt begins only if nothing was read
		n, err := a.s.r.Read(p)
		a.count(n)
		return n, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return 0, errEnded
	}
	n, err := a.s.r.Read(p)
	a.add(n)
	return n, err
}

// Seek implements io.Seeker.
func (a *attempt) Seek(offset int64, whence int) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return 0, errEnded
	}
	at, err := a.s.seek.Seek(offset, whence)
	if err == nil && at != a.at {
		a.s.progress(int(at - a.at))
		a.at = at
	}
	return at, err
}

func (a *attempt) count(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(n)
}

// add counts bytes that were read. The caller holds the lock.
func (a *attempt) add(n int) {
	a.at += int64(n)
	a.read = a.read || n > 0
	if n > 0 && !a.ended {
		a.s.progress(n)
	}
}

// end ends the attempt. It returns the position.
func (a *attempt) end() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.s.moved = a.s.moved || a.read
	return a.at
}
