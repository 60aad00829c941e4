package ftp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/schemetest/peer"
	"locator/tree"
)

// A connection that is in a directory when another one renames it is not used again for a URL of
// that directory.
//
// Covers: A2, A15
func TestChangedDirectory(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(schemetest.Tree())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newClient(t)
	r := scheme.Request{URL: s.URL("etc", "motd")}
	busy, err := c.Access(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Rename(t.Context(), scheme.Request{URL: s.URL("etc", "")}, s.URL("moved", "")); err != nil {
		t.Fatal(err)
	}
	drain(t, busy) // now it is kept
	lines := len(s.Lines())
	if _, err := c.Access(t.Context(), r, nil); client.CodeOf(err) != scheme.CodeNotFound {
		t.Errorf("%v", err)
	}
	if got := s.Lines()[lines:]; !slices.Contains(got, "CWD etc") || slices.Contains(got, "RETR motd") {
		t.Errorf("sent %q", got)
	}
}

// A change whose context ends while the server says nothing says that it may have been carried out.
//
// Covers: A15, P6
func TestChangeCancelled(t *testing.T) {
	t.Parallel()
	s := newScripted(t, "< 220 ready\n> USER anonymous\n< 230 welcome\n> DELE x\nend\n")
	c := newClient(t)
	u, err := c.Parse("ftp://" + s.addr + "/x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := scheme.Request{URL: u, Trace: &scheme.Trace{Sent: func(line string) {
		if line == "DELE x" {
			time.AfterFunc(10*time.Millisecond, cancel)
		}
	}}}
	err = c.Remove(ctx, r)
	if client.CodeOf(err) != scheme.CodeInterrupted || !strings.Contains(err.Error(), "may have carried out DELE") {
		t.Errorf("%v", err)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// The new URL of a rename names the user of the old one, or none; any other is refused without a
// connection.
//
// Covers: A15, P3
func TestRenameUser(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(schemetest.Tree(), ftptest.User("bob", "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newClient(t)
	from, to := s.LoginURL(ftptest.Alice, ftptest.Password, "text.txt"), s.URL("moved.txt")
	err = c.Rename(t.Context(), scheme.Request{URL: from}, s.LoginURL("bob", "b", "moved.txt"))
	if client.CodeOf(err) != scheme.CodeUsage || s.Connections() != 0 {
		t.Errorf("%v, %d connections", err, s.Connections())
	}
	if err := c.Rename(t.Context(), scheme.Request{URL: from}, to); err != nil {
		t.Error(err)
	}
	if err := c.Rename(t.Context(), scheme.Request{URL: to}, s.LoginURL("bob", "b", "text.txt")); client.CodeOf(err) != scheme.CodeUsage {
		t.Errorf("%v", err)
	}
	if err := c.Rename(t.Context(), scheme.Request{URL: s.LoginURL("bob", "b", "moved.txt")}, s.URL("etc", "moved.txt")); err != nil {
		t.Error(err)
	}
	if got, ok := s.File("etc", "moved.txt"); !ok || !strings.HasPrefix(string(got), "line one") {
		t.Errorf("%q, %v", got, ok)
	}
}

// RemoveAll does not enter what may be a link to a directory, whatever the server shows it as.
//
// Covers: A15, P6
func TestRemoveAllLink(t *testing.T) {
	t.Parallel()
	files := []peer.File{{Path: []string{"site", "a"}}, {Path: []string{"site", "sub", "b"}}, {Path: []string{"keep", "deep", "c"}}, {Path: []string{"keep", "d"}}}
	link, keep := []string{"site", "link"}, []string{"keep"}
	site, full := []string{"site", ""}, "550 Directory not empty"
	for name, tt := range map[string]struct {
		dele, rmd, full string // replies to DELE and RMD of the link, and to RMD of a directory that is not empty
		url             []string
		left            []string // in site
		code            scheme.Code
	}{
		"DELE says so":         {"550 ENOTDIR: not a directory, rmdir '/site/link'", "550 ENOTDIR: not a directory, rmdir '/site/link'", full, site, []string{"link"}, scheme.CodeLoginNeeded},
		"RMD says so":          {"550 ['site', 'link']: is a directory", "550 Cannot rmd, ['site', 'link'] is not a directory", full, site, []string{"link"}, scheme.CodeLoginNeeded},
		"no answer":            {"550 path is not a file", "451 file system error", full, site, []string{"link"}, scheme.CodeUnavailable},
		"none to its own URL":  {"550 path is not a file", "451 file system error", full, append(slices.Clone(link), ""), []string{"a", "link", "sub"}, scheme.CodeUnavailable},
		"none without a slash": {"550 path is not a file", "451 file system error", full, link, []string{"a", "link", "sub"}, scheme.CodeUnavailable},
		"its own URL":          {"550 ENOTDIR: not a directory", "550 ENOTDIR: not a directory", full, append(slices.Clone(link), ""), []string{"a", "link", "sub"}, scheme.CodeLoginNeeded},
		"no slash":             {"550 is a directory", "550 not a directory", full, link, []string{"a", "link", "sub"}, scheme.CodeLoginNeeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := ftptest.Start(files, ftptest.LinkedDir(link, keep, tt.dele, tt.rmd), ftptest.RefuseFullDir(tt.full))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			c := newClient(t)
			r := scheme.Request{URL: s.URL(tt.url...)}
			o := tree.RemoveAllOptions{DryRun: true}
			if err := tree.RemoveAll(t.Context(), c, r, o); slices.ContainsFunc(s.Lines(), changes) {
				t.Errorf("a dry run, %v, sent %q", err, s.Lines())
			}
			o = tree.RemoveAllOptions{Removed: func(u locator.URL, _ bool) { t.Log("removed", u) }}
			err = tree.RemoveAll(t.Context(), c, r, o)
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v", err)
			}
			if got := s.Names("site"); !slices.Equal(got, tt.left) {
				t.Errorf("site has %q, want %q", got, tt.left)
			}
			if got := append(s.Names("keep"), s.Names("keep", "deep")...); !slices.Equal(got, []string{"d", "deep", "c"}) {
				t.Errorf("what the link leads to has %q", got)
			}
		})
	}
}

// changes reports whether a command removes something.
func changes(line string) bool {
	return strings.HasPrefix(line, "DELE") || strings.HasPrefix(line, "RMD")
}
