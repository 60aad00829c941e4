package schemetest

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"locator"
	"locator/client"
	"locator/scheme"
)

// children gives the files of a folder of the tree by name, and the names of its folders.
func children(dir []string) (files map[string]File, folders []string) {
	files = make(map[string]File)
	for _, f := range Tree() {
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

// checkList lists folders, and accesses what the entries say.
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
	}
	if listed == 0 {
		s.Fatalf("the server has no URL for any folder, so nothing was listed")
	}
}

// isFolder checks that the entries are the folder's: each name once, each URL leading to that file. The root may hold
// more than the tree.
func (s *stage) isFolder(c *client.Client, dir []string, entries []scheme.Entry) {
	s.Helper()
	where := "/" + strings.Join(dir, "/")
	files, folders := children(dir)
	seen := make(map[string]bool)
	for _, e := range entries {
		if e.Kind == scheme.Note {
			continue
		}
		if e.URL.IsZero() {
			s.Errorf("%s: the entry %q is no note, and has no URL", where, e.Name)
			continue
		}
		name, ok := s.nameOf(e, files, folders)
		switch {
		case !ok && len(dir) > 0:
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
		// What cannot be accessed need not be listed.
		if !seen[name] && !s.server.URL(append(slices.Clone(dir), name)...).IsZero() {
			s.Errorf("%s: %q is not listed", where, name)
		}
	}
	for _, name := range folders {
		if !seen[name] && !s.server.URL(append(slices.Clone(dir), name, "")...).IsZero() {
			s.Errorf("%s: the folder %q is not listed", where, name)
		}
	}
}

// nameOf finds which child an entry is. Its Name is for a person: of octets outside UTF-8 it may show something else, so
// then the URL decides.
func (s *stage) nameOf(e scheme.Entry, files map[string]File, folders []string) (string, bool) {
	if _, ok := files[e.Name]; ok || slices.Contains(folders, e.Name) {
		return e.Name, true
	}
	for name, f := range files {
		if !utf8.ValidString(name) && s.server.URL(f.Path...).Canonical() == e.URL.Canonical() {
			return name, true
		}
	}
	return "", false
}

func (s *stage) isFile(c *client.Client, f File, e scheme.Entry) {
	s.Helper()
	if e.Kind != scheme.Object && e.Kind != scheme.Unknown {
		s.Errorf("the entry %q has kind %v, want object", e.Name, e.Kind)
	}
	s.spelled(e.URL, locator.Current) // a peer may have written it
	s.sane(e.Name, e.Attr, f, -1)
	t := s.take(s.ctx, c, scheme.Request{URL: e.URL, From: &scheme.Hop{Kind: scheme.MenuItem, N: 1}})
	if t.err != nil {
		s.Errorf("the entry %q leads nowhere: %v", e.Name, t.err)
	} else if !s.sees(f.Path, string(t.body), f.Content) {
		s.Errorf("the entry %q leads to %.60q, want %.60q", e.Name, t.body, f.Content)
	}
}

func (s *stage) isSubfolder(c *client.Client, dir []string, e scheme.Entry) {
	s.Helper()
	if e.Kind != scheme.Listing && e.Kind != scheme.Unknown {
		s.Errorf("the folder %q has kind %v, want listing", e.Name, e.Kind)
	}
	s.spelled(e.URL, locator.Current) // a peer may have written it
	entries, err := s.list(s.ctx, c, scheme.Request{URL: e.URL, From: &scheme.Hop{Kind: scheme.MenuItem, N: 1}})
	if err != nil {
		s.Errorf("the folder %q cannot be listed: %v", e.Name, err)
		return
	}
	files, folders := children(dir)
	for _, name := range append(folders, slices.Collect(maps.Keys(files))...) {
		if utf8.ValidString(name) && !slices.ContainsFunc(entries, func(e scheme.Entry) bool { return e.Name == name }) {
			s.Errorf("the folder %q, listed by its entry, lacks %q", e.Name, name)
		}
	}
}

// checkListBreak stops early, twice, and then wants everything to work still.
func checkListBreak(s *stage) {
	c := s.client()
	u := s.server.URL("names", "")
	if u.IsZero() {
		u = s.server.URL("")
	}
	r := scheme.Request{URL: u}
	before := s.network.connections()
	seq := c.List(s.ctx, r)
	if n := s.network.connections(); n != before {
		s.Errorf("List has connected before anybody ranged over it")
	}
	s.within(s.times.patience, "a listing that is left early", func() {
		for _, err := range seq {
			if err != nil {
				s.Errorf("%v", err)
			}
			break
		}
	})
	s.within(s.times.patience, "a Resource's listing that is left early", func() {
		res, err := c.Access(s.ctx, r)
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		defer res.Close()
		if res.Kind != scheme.Listing {
			return // a scheme may show a folder otherwise, as an http server does
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
