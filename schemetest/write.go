package schemetest

import (
	"errors"
	"io"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// checkAttributes requests the attributes of every file.
//
// Covers: A15
func checkAttributes(s *stage) {
	c := s.client()
	asked := 0
	for _, f := range s.h.tree() {
		u := s.server.URL(f.Path...)
		if u.IsZero() {
			continue
		}
		asked++
		var res *scheme.Resource
		var err error
		s.within(s.times.patience, "Attributes of "+u.Redacted(), func() { res, err = c.Attributes(s.ctx, scheme.Request{URL: u}, nil) })
		if err != nil {
			s.code("attributes of "+u.Redacted(), err, scheme.CodeUnsupported) // this server, or this file, has none
			continue
		}
		name := strings.Join(f.Path, "/")
		s.isAttributes(name, u, res, scheme.KindObject)
		s.checkAttr(name, res.Attr, f, -1)
	}
	if asked == 0 {
		s.Fatalf("the server has no URL for any file")
	}
}

// writable returns the URL of Harness.Writable.
func (s *stage) writable() locator.URL {
	s.Helper()
	if s.h.Writable == nil {
		s.Fatalf("the scheme supports replace, but Harness.Writable is nil")
	}
	return s.server.URL(s.h.Writable...)
}

// holds checks the contents of a file on the server and by a new access.
func (s *stage) holds(c *client.Client, what string, u locator.URL, want string) {
	s.Helper()
	if got, ok := s.server.File(s.h.Writable...); !ok || !s.sameContent(s.h.Writable, string(got), want) {
		s.Errorf("%s: the server holds %.60q (%v, %d bytes), want %.60q (%d bytes)", what, got, ok, len(got), want, len(want))
	}
	if got := s.get(c, u); !s.sameContent(s.h.Writable, got, want) {
		s.Errorf("%s: read back %.60q (%d bytes), want %.60q (%d bytes)", what, got, len(got), want, len(want))
	}
}

// checkReplace replaces a file with contents that are longer, shorter, of all byte values, of
// unknown size, and empty.
//
// Covers: A15
func checkReplace(s *stage) {
	c := s.client()
	u := s.writable()
	_, octets := s.file("bytes.bin")
	for _, tt := range []struct {
		what, content string
		unknown       bool
	}{
		{"first", "first\n", false},
		{"every byte", octets, false},
		{"shorter", "short\n", false},
		{"of unknown size", "size unknown\n" + octets, true},
		{"empty", "", false},
	} {
		size := scheme.Known(int64(len(tt.content)))
		if tt.unknown {
			size = scheme.Count{}
		}
		s.put(tt.what, func() (*scheme.Resource, error) {
			return c.Replace(s.ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(tt.content), Size: size}, nil)
		})
		s.holds(c, tt.what, u, tt.content)
	}
	s.brokenBody(c, u)
}

// put runs an operation that must succeed.
func (s *stage) put(what string, do func() (*scheme.Resource, error)) {
	s.Helper()
	s.within(s.times.patience, what, func() {
		res, err := do()
		s.journal.note(err)
		if err != nil {
			s.Errorf("%s: %v", what, err)
			return
		}
		if res.URL.IsZero() {
			s.Errorf("%s: Resource.URL is not set", what)
		}
		if err := res.Close(); err != nil {
			s.Errorf("%s: Close: %v", what, err)
		}
	})
}

// brokenBody sends a body that fails halfway. That must be an error, and the next request must
// work.
func (s *stage) brokenBody(c *client.Client, u locator.URL) {
	s.Helper()
	broken := errors.New("the body fails here")
	s.within(s.times.patience, "replace with a body that fails", func() {
		body := io.MultiReader(strings.NewReader(strings.Repeat("half\n", 1000)), &failing{broken})
		res, err := c.Replace(s.ctx, scheme.Request{URL: u}, scheme.Body{Reader: body, Size: scheme.Known(10_000)}, nil)
		s.journal.note(err)
		if err == nil {
			s.Errorf("a body that failed halfway was replaced without an error")
			res.Close()
		}
	})
	s.put("replace after that", func() (*scheme.Resource, error) {
		return c.Replace(s.ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("again\n"), Size: scheme.Known(6)}, nil)
	})
	s.holds(c, "after a body that failed", u, "again\n")
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// checkUpdate appends to a file.
//
// Covers: A15
func checkUpdate(s *stage) {
	c := s.client()
	u := s.writable()
	if replaces(s.h) {
		s.put("replace", func() (*scheme.Resource, error) {
			return c.Replace(s.ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("one\n"), Size: scheme.Known(4)}, nil)
		})
	}
	old, _ := s.server.File(s.h.Writable...)
	want := string(old)
	for _, more := range []string{"two\n", "three\n"} {
		s.put("update", func() (*scheme.Resource, error) {
			return c.Update(s.ctx, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(more), Size: scheme.Known(int64(len(more)))}, nil)
		})
		want += more
		s.holds(c, "update", u, want)
	}
}
