package schemetest

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ability"
)

// checkMissing reads a resource that does not exist, with each operation that reads.
//
// Covers: P3
func checkMissing(s *stage) {
	u := s.server.URL(s.h.missing()...)
	if u.IsZero() {
		s.Fatalf("the server has no URL for Harness.Missing %q", strings.Join(s.h.missing(), "/"))
	}
	c := s.client()
	t := s.take(s.ctx, c, scheme.Request{URL: u})
	if s.h.NoReplies {
		if t.err != nil {
			s.Errorf("Access of %s: %v; with Harness.NoReplies, want an answer", u.Redacted(), t.err)
		}
		return
	}
	s.isMissing(scheme.OpAccess, u, t.err)
	if finds(s.h) {
		s.within(s.times.patience, "Attributes", func() {
			_, err := c.Attributes(s.ctx, scheme.Request{URL: u}, nil)
			s.isMissing(scheme.OpAttributes, u, err)
		})
	}
	if dir := s.server.URL(append(s.h.missing(), "")...); lists(s.h) && !dir.IsZero() {
		entries, err := s.list(s.ctx, c, scheme.Request{URL: dir})
		s.isMissing(scheme.OpList, dir, err)
		if len(entries) > 0 {
			s.Errorf("a folder that is not there has %d entries", len(entries))
		}
	}
}

func (s *stage) isMissing(op scheme.Op, u locator.URL, err error) {
	s.Helper()
	s.code(string(op)+" of "+u.Redacted(), err, scheme.CodeNotFound)
	if !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("%s: errors.Is(err, fs.ErrNotExist) is false", op)
	}
	var e *scheme.Error
	if !errors.As(err, &e) {
		return
	}
	if e.Op != op {
		s.Errorf("%s: Error.Op is %q", op, e.Op)
	}
	if e.URL != u.Redacted() {
		s.Errorf("%s: Error.URL is %q, want %q", op, e.URL, u.Redacted())
	}
	if e.Err == nil || e.Err.Error() == "" {
		s.Errorf("%s: the error does not say what is wrong", op)
	}
}

// checkUnsupported calls each operation that the scheme does not support.
//
// Covers: A15
func checkUnsupported(s *stage) {
	c := s.client()
	u := s.url("text.txt")
	if u.IsZero() {
		u = s.url("big.bin")
	}
	r := scheme.Request{URL: u}
	has := ability.Names(s.h.Scheme)
	for _, op := range operations(s, c, r) {
		if op.name == "access" || op.able(s.h.Scheme) {
			continue
		}
		lines := len(s.server.Lines())
		var err error
		s.within(s.times.patience, op.name, func() { err = op.do() })
		s.code(op.name, err, scheme.CodeUnsupported)
		if op.name == "list" { // List falls back to Access
			s.quiet()
		}
		if err == nil || op.name == "list" {
			continue
		}
		if !errors.Is(err, errors.ErrUnsupported) {
			s.Errorf("%s: errors.Is(err, errors.ErrUnsupported) is false", op.name)
		}
		for _, name := range has {
			if !strings.Contains(err.Error(), name) {
				s.Errorf("%s: the error does not say that the scheme can %s: %v", op.name, name, err)
			}
		}
		if before := c.Preflight(scheme.Op(op.name), r); op.name != "rename to" && (before == nil || before.Error() != err.Error()) {
			s.Errorf("%s: Preflight says %v, and the operation %v", op.name, before, err)
		}
		if n := len(s.server.Lines()); n > lines {
			s.Errorf("%s: the server was sent %q all the same", op.name, s.server.Lines()[lines:])
		}
	}
}

// quiet waits until the server has read nothing for a tenth of a second: what a client sends before
// it closes the connection may be read late.
func (s *stage) quiet() {
	for n := -1; n != len(s.server.Lines()); time.Sleep(100 * time.Millisecond) {
		n = len(s.server.Lines())
	}
}

// operation is an operation of the client on a URL.
type operation struct {
	name string
	able func(scheme.Scheme) bool
	do   func() error
}

// operations returns all operations. Each reads its result to the end.
func operations(s *stage, c *client.Client, r scheme.Request) []operation {
	body := func() scheme.Body {
		return scheme.Body{Reader: strings.NewReader("text\n"), Size: scheme.Known(5), Type: "text/plain"}
	}
	closed := func(res *scheme.Resource, err error) error {
		if err != nil {
			return err
		}
		return res.Close()
	}
	return []operation{
		{"access", can[scheme.Scheme], func() error { return s.takeNow(s.ctx, c, r, nil).err }},
		{"list", can[scheme.Lister], func() error { _, err := s.collect(client.Entries(c.List(s.ctx, r, nil)), nil); return err }},
		{"attributes", can[scheme.Attributer], func() error { _, err := c.Attributes(s.ctx, r, nil); return err }},
		{"update", can[scheme.Updater], func() error { return closed(c.Update(s.ctx, r, body(), nil)) }},
		{"replace", can[scheme.Replacer], func() error { return closed(c.Replace(s.ctx, r, body(), nil)) }},
		{"remove", can[scheme.Remover], func() error { return c.Remove(s.ctx, r) }},
		{"rename", can[scheme.Renamer], func() error { return c.Rename(s.ctx, r, s.beside(r.URL)) }},
		{"rename to", can[scheme.Renamer], func() error { return c.Rename(s.ctx, scheme.Request{URL: s.beside(r.URL)}, r.URL) }},
		{"mkdir", can[scheme.Maker], func() error { return c.MakeDir(s.ctx, r) }},
	}
}

func can[A any](s scheme.Scheme) bool {
	_, ok := s.(A)
	return ok
}
