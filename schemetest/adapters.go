package schemetest

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"locator/scheme"
)

// checkFS reads the tree with io/fs.
//
// Covers: S19
func checkFS(s *stage) {
	base := s.server.URL("")
	if base.IsZero() {
		s.Fatalf("the server has no URL for the root")
	}
	s.within(s.times.patience, "reading through io/fs", func() {
		fsys := s.client().FS(s.ctx, base)
		for _, f := range s.h.tree() {
			name := strings.Join(f.Path, "/")
			if s.server.URL(f.Path...).IsZero() || !fs.ValidPath(name) {
				continue
			}
			got, err := fs.ReadFile(fsys, name)
			if err != nil || string(got) != f.Content {
				s.Errorf("fs.ReadFile(%q): %d bytes, error %v; want the %d of the file", name, len(got), err, len(f.Content))
			}
		}
		_, err := fs.ReadFile(fsys, strings.Join(s.h.missing(), "/"))
		s.journal.note(err)
		if !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("fs.ReadFile of what is not there: %v, want fs.ErrNotExist", err)
		}
		info, err := fs.Stat(fsys, "etc/motd")
		if err != nil || info.IsDir() || info.Name() != "motd" {
			s.Errorf("fs.Stat(etc/motd): %+v, %v; want the file motd", info, err)
		}
		if lists(s.h) {
			s.readDir(fsys)
		}
	})
}

func (s *stage) readDir(fsys fs.FS) {
	entries, err := fs.ReadDir(fsys, "names")
	if err != nil {
		s.Errorf("fs.ReadDir(names): %v", err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	files, _ := s.h.children([]string{"names"})
	for name, f := range files {
		if fs.ValidPath(name) && !s.server.URL(f.Path...).IsZero() && !slices.Contains(got, name) {
			s.Errorf("fs.ReadDir(names) lacks %q: %q", name, got)
		}
	}
}

// checkRoundTripper reads a file with net/http's client.
func checkRoundTripper(s *stage) {
	u, content := s.file("text.txt")
	s.within(s.times.patience, "reading by an http.Client", func() {
		web := &http.Client{Transport: s.client().Transport()}
		status, body, err := s.fetch(web, http.MethodGet, u.Text())
		if err != nil || status != http.StatusOK || !s.sameContent([]string{"text.txt"}, body, content) {
			s.Errorf("GET %s: status %d, body %.60q, error %v; want 200 and the file", u.Redacted(), status, body, err)
		}
		if s.h.NoReplies {
			return
		}
		missing := s.server.URL(s.h.missing()...)
		status, _, err = s.fetch(web, http.MethodGet, missing.Text())
		if err != nil || status != scheme.CodeNotFound.HTTP() {
			s.Errorf("GET %s: status %d, error %v; want %d", missing.Redacted(), status, err, scheme.CodeNotFound.HTTP())
		}
	})
}

func (s *stage) fetch(web *http.Client, method, url string) (int, string, error) {
	req, err := http.NewRequestWithContext(s.ctx, method, url, nil)
	if err != nil {
		return 0, "", err
	}
	resp, err := web.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}
