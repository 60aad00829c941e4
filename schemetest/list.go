package schemetest

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"locator"
	"locator/client"
	"locator/scheme"
)

// children returns the files in a folder of the tree by name, and the names of its folders.
func (h *Harness) children(dir []string) (files map[string]File, folders []string) {
	files = make(map[string]File)
	for _, f := range h.tree() {
		if len(f.Path) <= len(dir) || !slices.Equal(f.Path[:len(dir)], dir) {
			continue
		}
		switch name := f.Path[len(dir)]; {
		case len(f.Path) == len(dir)+1:
			files[name] = f
		case !slices.Contains(folders, name):
			folders = append(folders, name)
		}
	}
	return files, folders
}

// checkList lists folders and accesses their entries.
//
// Covers: A15
func checkList(s *stage) {
	c := s.client()
	listed := 0
	for _, dir := range [][]string{{}, {"etc"}, {"names"}} {
		u := s.server.URL(append(slices.Clone(dir), "")...)
		if u.IsZero() {
			continue
		}
		listed++
		entries, err := s.list(s.ctx, c, scheme.Request{URL: u})
		if err != nil {
			s.Errorf("%v", err)
			continue
		}
		s.isFolder(c, dir, entries)
		s.isListing(u)
	}
	if listed == 0 {
		s.Fatalf("the server has no URL for any folder, so nothing was listed")
	}
}

// checkListCopy copies a listing to a buffer, and to a writer that fails.
//
// Covers: A15
func checkListCopy(s *stage) {
	c := s.client()
	r := scheme.Request{URL: s.server.URL("")}
	want, err := s.list(s.ctx, c, r)
	if err != nil {
		s.Fatalf("%v", err)
	}
	list := func(to io.Writer) (entries []scheme.Entry, err error) {
		s.within(s.times.patience, "List with Copy", func() {
			entries, err = s.collect(client.Entries(c.List(s.ctx, r, &scheme.ListOptions{Copy: to})), nil)
		})
		return entries, err
	}
	var copied strings.Builder
	if got, err := list(&copied); err != nil || len(got) != len(want) || copied.Len() == 0 {
		s.Errorf("%d entries, want %d; copied %q: %v", len(got), len(want), copied.String(), err)
	}
	full := errors.New("the disk is full")
	_, err = list(failingWriter{full})
	s.code("List with a Copy that fails", err, scheme.CodeLocal)
	if !errors.Is(err, full) {
		s.Errorf("the error is not that of Copy: %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// isFolder checks that entries are the entries of dir: each name once, with the URL of that file.
// The root may contain additional entries.
func (s *stage) isFolder(c *client.Client, dir []string, entries []scheme.Entry) {
	s.Helper()
	where := "/" + strings.Join(dir, "/")
	files, folders := s.h.children(dir)
	seen := make(map[string]bool)
	for _, e := range entries {
		if e.Kind == scheme.KindNote {
			continue
		}
		if e.URL.IsZero() {
			s.Errorf("%s: the entry %q is no note, and has no URL", where, e.Name)
			continue
		}
		name, ok := s.nameOf(e, dir, files, folders)
		switch {
		case !ok && len(dir) > 0 && !s.h.Titles: // a menu may contain other items
			s.Errorf("%s: the entry %q (%s) is no name of the folder", where, e.Name, e.URL.Redacted())
		case !ok:
		case seen[name]:
			s.Errorf("%s: %q is listed twice", where, name)
		case slices.Contains(folders, name):
			s.isSubfolder(c, append(slices.Clone(dir), name), e)
		default:
			s.isFile(c, files[name], e)
		}
		seen[name] = true
	}
	for name := range files {
		// Files that cannot be accessed need not be listed.
		if !seen[name] && !s.server.URL(append(slices.Clone(dir), name)...).IsZero() {
			s.Errorf("%s: %q is not listed", where, name)
		}
	}
	for _, name := range folders {
		if !s.h.Flat && !seen[name] && !s.server.URL(append(slices.Clone(dir), name, "")...).IsZero() {
			s.Errorf("%s: the folder %q is not listed", where, name)
		}
	}
}

// nameOf returns the name of the child of dir that e is.
func (s *stage) nameOf(e scheme.Entry, dir []string, files map[string]File, folders []string) (string, bool) {
	for name := range files {
		if s.isNamed(e, append(slices.Clone(dir), name)) {
			return name, true
		}
	}
	for _, name := range folders {
		if s.isNamed(e, append(slices.Clone(dir), name, "")) {
			return name, true
		}
	}
	return "", false
}

// isNamed reports whether e is the entry for path. It compares URLs if the name is not valid UTF-8,
// since Name is for display, or if names are titles.
func (s *stage) isNamed(e scheme.Entry, path []string) bool {
	name := path[len(path)-1]
	if name == "" {
		name = path[len(path)-2]
	}
	if !s.h.Titles && utf8.ValidString(name) {
		return e.Name == name
	}
	return !e.URL.IsZero() && s.server.URL(path...).Canonical() == e.URL.Canonical()
}

func (s *stage) isFile(c *client.Client, f File, e scheme.Entry) {
	s.Helper()
	if e.Kind != scheme.KindObject && e.Kind != scheme.KindUnknown {
		s.Errorf("the entry %q has kind %v, want object", e.Name, e.Kind)
	}
	s.checkBuild(e.URL, locator.Current)
	s.checkAttr(e.Name, e.Attr, f, -1)
	t := s.take(s.ctx, c, scheme.Request{URL: e.URL, From: &scheme.Hop{Kind: scheme.HopMenuItem, N: 1}})
	if t.err != nil {
		s.Errorf("the entry %q cannot be accessed: %v", e.Name, t.err)
	} else if !s.sameContent(f.Path, string(t.body), f.Content) {
		s.Errorf("the entry %q leads to %.60q, want %.60q", e.Name, t.body, f.Content)
	}
}

func (s *stage) isSubfolder(c *client.Client, dir []string, e scheme.Entry) {
	s.Helper()
	if e.Kind != scheme.KindListing && e.Kind != scheme.KindUnknown {
		s.Errorf("the folder %q has kind %v, want listing", e.Name, e.Kind)
	}
	s.checkBuild(e.URL, locator.Current)
	entries, err := s.list(s.ctx, c, scheme.Request{URL: e.URL, From: &scheme.Hop{Kind: scheme.HopMenuItem, N: 1}})
	if err != nil {
		s.Errorf("the folder %q cannot be listed: %v", e.Name, err)
		return
	}
	files, folders := s.h.children(dir)
	var paths [][]string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	for _, name := range folders {
		paths = append(paths, append(slices.Clone(dir), name, ""))
	}
	for _, path := range paths {
		there := slices.ContainsFunc(entries, func(e scheme.Entry) bool { return s.isNamed(e, path) })
		if !there && !s.server.URL(path...).IsZero() {
			s.Errorf("the folder %q, listed by its entry, lacks %q", e.Name, strings.Join(path, "/"))
		}
	}
}

// checkListBreak breaks out of two listings, and checks that the client still works.
func checkListBreak(s *stage) {
	c := s.client()
	u := s.server.URL("names", "")
	if u.IsZero() {
		u = s.server.URL("")
	}
	r := scheme.Request{URL: u}
	s.within(s.times.patience, "a listing that is left early", func() {
		for _, err := range client.Entries(c.List(s.ctx, r, nil)) {
			if err != nil {
				s.Errorf("%v", err)
			}
			break
		}
	})
	s.within(s.times.patience, "a Resource's listing that is left early", func() {
		res, err := c.Access(s.ctx, r, nil)
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		defer res.Close()
		if res.Kind != scheme.KindListing {
			return // a folder need not be a Listing, as in http
		}
		for range res.Entries {
			break
		}
	})
	entries, err := s.list(s.ctx, c, r)
	if err != nil || len(entries) == 0 {
		s.Errorf("after two listings were left early, a third has %d entries and error %v", len(entries), err)
	}
}
