package schemetest

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
)

// checkWishes requests a range of a file, and a file with a condition. A scheme may ignore both,
// but the result must match its description.
func checkWishes(s *stage) {
	u, content := s.file("bytes.bin")
	c := s.client()
	for _, r := range []scheme.Range{{Offset: 1000, Length: 100}, {Offset: 4000}, {Length: 10}} {
		t := s.takeWith(c, u, scheme.AccessOptions{Range: r})
		if t.err != nil {
			s.Errorf("with range %+v: %v", r, t.err)
			continue
		}
		want := content
		if got := t.res.Range; !got.IsZero() {
			want = content[min(int(got.Offset), len(content)):]
			if got.Length > 0 {
				want = want[:min(int(got.Length), len(want))]
			}
		}
		if string(t.body) != want {
			s.Errorf("with range %+v: Resource.Range is %+v, but the body has %d bytes, %.40q; want %d, %.40q",
				r, t.res.Range, len(t.body), t.body, len(want), want)
		}
	}
	_, old := s.condition(c, u, scheme.Conditions{}, content)
	s.condition(c, u, scheme.Conditions{ModifiedSince: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}, content)
	if same, _ := s.condition(c, u, scheme.Conditions{ModifiedSince: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}, content); same {
		s.Errorf("Resource.NotModified is set for a copy of 1980 of a file of %v", Tree()[0].Modified)
	}
	if old.ETag != "" {
		s.condition(c, u, scheme.Conditions{NoneMatch: old.ETag}, content)
	}
}

// condition accesses with conditions, and checks that the result is the whole file, or NotModified
// without a body.
func (s *stage) condition(c *client.Client, u locator.URL, cond scheme.Conditions, content string) (same bool, a scheme.Attr) {
	s.Helper()
	s.within(s.times.patience, fmt.Sprintf("access with conditions %+v", cond), func() {
		res, err := c.Access(s.ctx, scheme.Request{URL: u}, &scheme.AccessOptions{If: cond})
		s.journal.note(err)
		if err != nil {
			s.Errorf("with conditions %+v: %v", cond, err)
			return
		}
		defer res.Close()
		same, a = res.NotModified, res.Attr
		switch {
		case same:
			s.hasNoBody(res)
		default:
			if b, err := io.ReadAll(res.Body); err != nil || string(b) != content {
				s.Errorf("with conditions %+v: %d bytes and error %v, want the %d of the file", cond, len(b), err, len(content))
			}
		}
	})
	return same, a
}

// checkConcurrent reads many files concurrently with one client, and again over connections that
// deliver everything in segments.
func checkConcurrent(s *stage) {
	s.readFiles(s.client())
	s.readFiles(s.client(segmented))
}

// atOnce is how many files are read at a time. A server of Python's socketserver lets 5 connections
// wait to be accepted; the kernel drops those beyond that, and a busy machine then stalls them for
// longer than a client waits.
const atOnce = 6

// readFiles reads many files concurrently.
func (s *stage) readFiles(c *client.Client) {
	s.Helper()
	s.within(s.times.patience, "reading all files at once", func() {
		var wg sync.WaitGroup
		places := make(chan struct{}, atOnce)
		for range 2 {
			for _, f := range s.h.tree() {
				u := s.server.URL(f.Path...)
				if u.IsZero() || len(f.Content) > 8<<10 {
					continue
				}
				places <- struct{}{}
				wg.Go(func() {
					defer func() { <-places }()
					if t := s.takeNow(s.ctx, c, scheme.Request{URL: u}, nil); t.err != nil {
						s.Errorf("%q: %v", strings.Join(f.Path, "/"), t.err)
					} else if !s.sameContent(f.Path, string(t.body), f.Content) {
						s.Errorf("%q: %.60q, want %.60q: answers were mixed up", strings.Join(f.Path, "/"), t.body, f.Content)
					}
				})
			}
		}
		wg.Wait()
	})
}

// checkHalf closes bodies early, and reads another file each time.
func checkHalf(s *stage) {
	c := s.client()
	big, content := s.file("big.bin")
	small, want := s.file("bytes.bin")
	for range 3 {
		s.within(s.times.patience, "a body that is closed halfway", func() {
			res, err := c.Access(s.ctx, scheme.Request{URL: big}, nil)
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			b := make([]byte, 100)
			if _, err := io.ReadFull(res.Body, b); err != nil || string(b) != content[:len(b)] {
				s.Errorf("the first bytes are %.40q, error %v", b, err)
			}
			res.Close()
			res.Close()
		})
		if got := s.get(c, small); got != want {
			s.Errorf("after a body that was closed halfway, the next file has %d bytes, %.40q; want %d", len(got), got, len(want))
		}
	}
}
