package schemetest

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// sibling returns the path of another name in the directory of Harness.Writable.
func (s *stage) sibling(name string) []string {
	path := slices.Clone(s.h.Writable)
	path[len(path)-1] = name
	return path
}

// beside returns the URL of a name that does not exist on the server of u, or u if that is another
// server.
func (s *stage) beside(u locator.URL) locator.URL {
	if missing := s.url(s.h.missing()...); missing.Host() == u.Host() && missing.Port() == u.Port() {
		return missing
	}
	return u
}

// plant stores a text at a writable path.
func (s *stage) plant(c *client.Client, path []string, text string) locator.URL {
	s.Helper()
	u := s.server.URL(path...)
	b := scheme.Body{Reader: strings.NewReader(text), Size: scheme.Known(int64(len(text)))}
	s.put("putting "+u.Redacted(), func() (*scheme.Resource, error) {
		if replaces(s.h) {
			return c.Replace(s.ctx, scheme.Request{URL: u}, b, nil)
		}
		return c.Update(s.ctx, scheme.Request{URL: u}, b, nil)
	})
	return u
}

// does runs a change that must succeed.
func (s *stage) does(what string, do func() error) {
	s.Helper()
	if err := s.try(what, do); err != nil {
		s.Errorf("%s: %v", what, err)
	}
}

// try runs a change and returns its error.
func (s *stage) try(what string, do func() error) (err error) {
	s.Helper()
	s.within(s.times.patience, what, func() { err = do() })
	s.journal.note(err)
	return err
}

// has checks what the server has at a path.
func (s *stage) has(what string, path []string, want string) {
	s.Helper()
	if got, ok := s.server.File(path...); !ok || !s.sameContent(path, string(got), want) {
		s.Errorf("%s: the server has %.60q (%v) as %q, want %.60q", what, got, ok, path[len(path)-1], want)
	}
}

// gone checks that a path no longer exists.
func (s *stage) gone(c *client.Client, what string, path []string) {
	s.Helper()
	if got, ok := s.server.File(path...); ok {
		s.Errorf("%s: the server still has %.60q", what, got)
	}
	u := s.server.URL(path...)
	s.isMissing(scheme.OpAccess, u, s.take(s.ctx, c, scheme.Request{URL: u}).err)
}

// isTaken checks the error of a change to a name that exists.
func (s *stage) isTaken(what string, err error) {
	s.Helper()
	s.code(what, err, scheme.CodeUsage)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		s.Errorf("%s: errors.Is(err, fs.ErrExist) is false: %v", what, err)
	}
}

// notBegun runs a change with a cancelled context, and one whose address the policy refuses.
// Neither must be carried out.
func (s *stage) notBegun(what string, do func(context.Context, *client.Client) error) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	c := s.client()
	connections, lines := s.network.connections(), len(s.server.Lines())
	s.cancelled(what+" with a context that has ended", s.try(what, func() error { return do(ctx, c) }))
	if n := s.network.connections() - connections; n > 0 {
		s.Errorf("%s with a context that has ended makes %d connections", what, n)
	}
	if s.h.Local {
		return
	}
	g := &guard{limited: true}
	c = s.client(func(o *client.Options) { o.Policy, o.Dial = g, nil })
	s.code(what+" past a policy that refuses the address", s.try(what, func() error { return do(s.ctx, c) }), scheme.CodeRefused)
	if urls, addrs := g.questions(); len(urls) == 0 || len(addrs) == 0 {
		s.Errorf("%s: the policy checked %d URLs and %d addresses", what, len(urls), len(addrs))
	}
	if got := s.server.Lines(); len(got) > lines {
		s.Errorf("%s, which was not allowed, sent %q", what, got[lines:])
	}
}

// checkRemove removes a file, and one that does not exist.
//
// Covers: A15, P1, P5
func checkRemove(s *stage) {
	c := s.client()
	u := s.plant(c, s.h.Writable, "to be removed\n")
	s.notBegun("remove", func(ctx context.Context, c *client.Client) error { return c.Remove(ctx, scheme.Request{URL: u}) })
	s.has("after a remove that did not begin", s.h.Writable, "to be removed\n")
	s.does("remove", func() error { return c.Remove(s.ctx, scheme.Request{URL: u}) })
	s.gone(c, "remove", s.h.Writable)
	s.isMissing(scheme.OpRemove, u, s.try("remove again", func() error { return c.Remove(s.ctx, scheme.Request{URL: u}) }))
	s.plant(c, s.h.Writable, "again\n")
	s.has("after a remove", s.h.Writable, "again\n")
}

// checkRename renames a file to a new name, to an existing one, and to one in another directory.
//
// Covers: A15, P1, P5
func checkRename(s *stage) {
	c := s.client()
	new := s.sibling("renamed.txt")
	from, to := s.plant(c, s.h.Writable, "renamed\n"), s.server.URL(new...)
	rename := func(ctx context.Context, c *client.Client) error { return c.Rename(ctx, scheme.Request{URL: from}, to) }
	again := func() error { return rename(s.ctx, c) }
	s.notBegun("rename", rename)
	s.has("after a rename that did not begin", s.h.Writable, "renamed\n")
	s.does("rename", again)
	s.has("rename", new, "renamed\n")
	if got := s.get(c, to); !s.sameContent(new, got, "renamed\n") {
		s.Errorf("rename: read back %.60q", got)
	}
	s.gone(c, "rename", s.h.Writable)
	s.isMissing(scheme.OpRename, from, s.try("rename of what is not there", func() error {
		return c.Rename(s.ctx, scheme.Request{URL: from}, s.server.URL(s.sibling("renamed again.txt")...))
	}))

	s.plant(c, s.h.Writable, "second\n")
	s.isTaken("rename to the name of another file", s.try("rename", again))
	s.has("after a rename to a name that another file has", new, "renamed\n")
	s.has("after a rename to a name that another file has", s.h.Writable, "second\n")
	if can[scheme.Maker](s.h.Scheme) {
		s.renameAcross(c, from)
	}
}

// renameAcross renames a file into another directory, and then that directory.
func (s *stage) renameAcross(c *client.Client, from locator.URL) {
	s.Helper()
	name := s.h.Writable[len(s.h.Writable)-1]
	inside, moved := append(s.sibling("a folder"), name), append(s.sibling("another folder"), name)
	s.does("mkdir", func() error {
		return c.MakeDir(s.ctx, scheme.Request{URL: s.server.URL(append(s.sibling("a folder"), "")...)})
	})
	if err := s.try("rename", func() error { return c.Rename(s.ctx, scheme.Request{URL: from}, s.server.URL(inside...)) }); err != nil {
		s.code("rename into another directory", err, scheme.CodeUnsupported)
		return
	}
	s.has("rename into another directory", inside, "second\n")
	s.gone(c, "rename into another directory", s.h.Writable)
	if got := s.get(c, s.server.URL(inside...)); !s.sameContent(inside, got, "second\n") { // a connection is now in that directory
		s.Errorf("rename into another directory: read back %.60q", got)
	}
	s.does("rename of a directory", func() error {
		return c.Rename(s.ctx, scheme.Request{URL: s.server.URL(s.sibling("a folder")...)}, s.server.URL(s.sibling("another folder")...))
	})
	s.has("rename of a directory", moved, "second\n")
	s.gone(c, "rename of a directory", inside)
}

// checkMakeDir creates a directory, and removes it if the scheme supports that.
//
// Covers: A15, P1, P5
func checkMakeDir(s *stage) {
	c := s.client()
	path := s.sibling("made")
	u, dir := s.server.URL(path...), s.server.URL(append(path, "")...)
	inside := append(path, "in.txt")
	parent := s.server.URL(s.sibling("")...)
	listed := func() bool {
		s.Helper()
		entries, err := s.list(s.ctx, c, scheme.Request{URL: parent})
		if err != nil {
			s.Errorf("list: %v", err)
		}
		return slices.ContainsFunc(entries, func(e scheme.Entry) bool {
			return e.Kind == scheme.KindListing && (e.Name == "made" || e.URL == dir)
		})
	}
	makeDir := func(u locator.URL) func() error {
		return func() error { return c.MakeDir(s.ctx, scheme.Request{URL: u}) }
	}
	s.notBegun("mkdir", func(ctx context.Context, c *client.Client) error { return c.MakeDir(ctx, scheme.Request{URL: u}) })
	if lists(s.h) && listed() {
		s.Errorf("mkdir, which did not begin, has made a directory")
	}
	s.does("mkdir", makeDir(u))
	if lists(s.h) && !listed() {
		s.Errorf("the directory that was made is not listed")
	}
	s.isTaken("mkdir of a directory that is there", s.try("mkdir", makeDir(dir)))
	s.plant(c, inside, "inside\n")
	s.has("a file in the directory that was made", inside, "inside\n")
	s.isTaken("mkdir of a file that is there", s.try("mkdir", makeDir(s.server.URL(inside...))))
	s.has("after mkdir of a file that is there", inside, "inside\n")
	lost := s.server.URL(append(s.sibling("no such folder"), "made")...)
	s.isMissing(scheme.OpMakeDir, lost, s.try("mkdir in a directory that is not there", makeDir(lost)))
	if !can[scheme.Remover](s.h.Scheme) {
		return
	}
	for _, u := range []locator.URL{u, dir} {
		if err := s.try("remove", func() error { return c.Remove(s.ctx, scheme.Request{URL: u}) }); err == nil {
			s.Errorf("a directory that is not empty was removed")
		}
		s.has("after the remove of a directory that is not empty", inside, "inside\n")
	}
	s.does("remove", func() error { return c.Remove(s.ctx, scheme.Request{URL: s.server.URL(inside...)}) })
	s.does("remove of a directory", func() error { return c.Remove(s.ctx, scheme.Request{URL: u}) })
	if lists(s.h) && listed() {
		s.Errorf("the directory that was removed is listed")
	}
	s.does("mkdir", makeDir(dir))
	s.does("remove of a directory", func() error { return c.Remove(s.ctx, scheme.Request{URL: dir}) })
	s.isMissing(scheme.OpRemove, dir, s.try("remove", func() error { return c.Remove(s.ctx, scheme.Request{URL: dir}) }))
}
