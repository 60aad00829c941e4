package schemetest

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"

	"locator/scheme"
)

// checkCloseWhileReading closes a body while another goroutine reads it, by Read and by WriteTo:
// one that flows, and one that has stalled if the server can do that. With the race detector it
// also finds memory that both use.
func checkCloseWhileReading(s *stage) {
	for range tries {
		s.closes("a body that is being read", false, func() bool { return true })
		s.closes("a body that is being copied", true, func() bool { return true })
	}
	if hasFault(StallBody)(s.h) {
		s.server.Misbehave(StallBody)
		s.closes("a stalled body that is being read", false, nil)
		s.closes("a stalled body that is being copied", true, nil)
	}
}

// closes closes the body of a large file while it is read, when ready returns true. A nil ready
// waits until the body has stalled; reading must then end with an error.
func (s *stage) closes(what string, byWriteTo bool, ready func() bool) {
	s.Helper()
	u, content := s.file("big.bin")
	var late []time.Duration
	for range tries {
		var res *scheme.Resource
		var err error
		s.within(s.times.patience, "access", func() { res, err = s.client().Access(s.ctx, scheme.Request{URL: u}, nil) })
		if err != nil {
			s.Fatalf("%s: %v", what, err)
		}
		var n atomic.Int64
		var b bytes.Buffer
		out, done := &counter{&b, func(k int) { n.Add(int64(k)) }}, make(chan error, 1)
		go func() {
			in := io.Reader(res.Body)
			if !byWriteTo {
				in = struct{ io.Reader }{in}
			}
			_, err := io.Copy(out, in)
			done <- err
		}()
		begun := ready
		if begun == nil {
			begun = s.settled(&n)
		}
		s.until(s.times.patience, func() bool { return n.Load() > 0 && begun() })
		began := time.Now()
		s.within(s.times.patience, "Close of "+what, func() {
			s.journal.note(res.Close())
			err = <-done
			s.journal.note(err)
			s.journal.note(res.Close())
		})
		switch {
		case err == nil && (ready == nil || b.String() != content):
			s.Errorf("%s ends without an error after %d bytes of %d", what, b.Len(), len(content))
		case !bytes.HasPrefix([]byte(content), b.Bytes()):
			s.Errorf("%s: the %d bytes that were read are not the beginning of the file", what, b.Len())
		}
		if _, err := res.Body.Read(make([]byte, 1)); err == nil {
			s.Errorf("%s: a Read after Close succeeds", what)
		}
		took := time.Since(began)
		if took <= s.times.stop {
			return
		}
		late = append(late, took)
	}
	s.Errorf("%s: Close ends it too late, after %v", what, late)
}
