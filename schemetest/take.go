package schemetest

import (
	"bytes"
	"context"
	"io"
	"iter"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// taken is the result of an access, read to its end and closed.
type taken struct {
	res     *scheme.Resource // nil if Access failed
	body    []byte
	entries []scheme.Entry
	err     error // of Access, or of reading
}

// take accesses a URL, reads the result and closes it. It fails if that does not end. Of a Session
// it reads the first data.
func (s *stage) take(ctx context.Context, c *client.Client, r scheme.Request) taken {
	s.Helper()
	var t taken
	s.within(s.times.patience, "Access of "+r.URL.Redacted(), func() { t = s.takeNow(ctx, c, r, nil) })
	return t
}

// takeWith is take with options.
func (s *stage) takeWith(c *client.Client, u locator.URL, o scheme.AccessOptions) taken {
	s.Helper()
	var t taken
	s.within(s.times.patience, "Access of "+u.Redacted(), func() {
		res, err := c.Access(s.ctx, scheme.Request{URL: u}, &o)
		t = s.read(res, err, nil)
	})
	return t
}

// takeNow is take without a timeout. progress, if not nil, is called with the number of bytes or
// entries read.
func (s *stage) takeNow(ctx context.Context, c *client.Client, r scheme.Request, progress func(int)) taken {
	res, err := c.Access(ctx, r, nil)
	if err == nil && res.Body == nil {
		s.Errorf("%s: Resource.Body is nil after Access", res.URL.Redacted())
	}
	return s.read(res, err, progress)
}

// read reads the result of an access to its end and closes it.
func (s *stage) read(res *scheme.Resource, err error, progress func(int)) taken {
	s.journal.note(err)
	if err != nil {
		return taken{err: err}
	}
	t := taken{res: res}
	switch {
	case res.Kind == scheme.KindObject && res.Body != nil && !res.NotModified:
		var b bytes.Buffer
		_, t.err = io.Copy(&counter{&b, progress}, res.Body)
		t.body = b.Bytes()
	case res.Entries != nil:
		t.entries, t.err = s.collect(res.Entries, progress)
	case res.Session != nil:
		b := make([]byte, 4096)
		var n int
		n, t.err = res.Session.Read(b)
		t.body = b[:n]
	}
	if res.Body != nil && (res.Kind != scheme.KindObject || res.NotModified) {
		s.hasNoBody(res)
	}
	s.journal.note(t.err)
	if err := res.Close(); t.err == nil && err != nil {
		t.err = err
	}
	if err := res.Close(); t.err == nil && err != nil {
		s.Errorf("Resource.Close may be called more than once, but the second time: %v", err)
	}
	return t
}

// hasNoBody checks that the Body of a resource without one returns an error, which a caller that
// expects a file needs.
func (s *stage) hasNoBody(res *scheme.Resource) {
	if n, err := res.Body.Read(make([]byte, 1)); n != 0 || err == nil || err == io.EOF {
		s.Errorf("%s: the Body of a %v that has none returns %d bytes and the error %v; want an error", res.URL.Redacted(), res.Kind, n, err)
	}
}

// collect reads a listing to its end.
func (s *stage) collect(list iter.Seq2[scheme.Entry, error], progress func(int)) ([]scheme.Entry, error) {
	var entries []scheme.Entry
	var failed error
	for e, err := range list {
		if failed != nil {
			s.Errorf("a listing ends after its first error, but this one goes on after: %v", failed)
			break
		}
		if err != nil {
			s.journal.note(err)
			failed = err
			continue // the sequence must end after an error
		}
		entries = append(entries, e)
		if progress != nil {
			progress(1)
		}
	}
	return entries, failed
}

// list lists r. It fails if that does not end.
func (s *stage) list(ctx context.Context, c *client.Client, r scheme.Request) (entries []scheme.Entry, err error) {
	s.Helper()
	s.within(s.times.patience, "List of "+r.URL.Redacted(), func() { entries, err = s.collect(client.Entries(c.List(ctx, r, nil)), nil) })
	return entries, err
}

// get accesses u and returns its content, or fails.
func (s *stage) get(c *client.Client, u locator.URL) string {
	s.Helper()
	t := s.take(s.ctx, c, scheme.Request{URL: u})
	switch {
	case t.err != nil:
		s.Fatalf("%v", t.err)
	case t.res.Kind != scheme.KindObject:
		s.Fatalf("%s: kind %v, want object", u.Redacted(), t.res.Kind)
	}
	return string(t.body)
}

// sameContent reports whether got is content, except for the changes that Harness.Text allows.
func (s *stage) sameContent(path []string, got, content string) bool {
	if s.h.Text && strings.HasSuffix(path[len(path)-1], ".txt") {
		return normalize(got) == normalize(content)
	}
	return got == content
}

// normalize normalizes line ends, and removes the end of the last line.
func normalize(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// counter reports the bytes that are written through it. It hides the io.ReaderFrom of its writer.
type counter struct {
	w        io.Writer
	progress func(int)
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.progress != nil {
		c.progress(n)
	}
	return n, err
}
