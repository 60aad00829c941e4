package ftp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/download"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/transfer"
	"locator/tree"
)

// folders returns a tree of folders that each hold as many files.
func folders(n, files int) (tree []schemetest.File) {
	for i := range n {
		for j := range files {
			tree = append(tree, schemetest.File{Path: []string{"top", fmt.Sprint("d", i), fmt.Sprintf("f%02d", j)}, Content: fmt.Sprint(i, " ", j),
				Modified: time.Date(2001, 2, 3, 4, 5, 6+j, 0, time.UTC)})
		}
	}
	return tree
}

// mirror downloads the folder at path, and returns the commands that the server received and the
// folder on disk.
func mirror(t *testing.T, tree []schemetest.File, connections int, path []string, o download.Options, options ...ftptest.Option) (commands []string, dir string) {
	t.Helper()
	s, err := ftptest.Start(tree, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dir = t.TempDir()
	mirrorAgain(t, s.URL(append(path, "")...), connections, dir, o)
	return s.Lines(), dir
}

func mirrorAgain(t *testing.T, u locator.URL, connections int, dir string, o download.Options) {
	t.Helper()
	to, err := download.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	c := newClient(t)
	defer c.Close()
	err = download.Mirror(t.Context(), c, scheme.Request{URL: u}, to, download.MirrorOptions{
		Options: o, Queue: transfer.Queue{Parallel: connections, PerHost: connections}, Walk: tree.WalkOptions{},
		Failed: func(u locator.URL, err error) { t.Errorf("%s: %v", u.Redacted(), err) },
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantMirrored compares the files below dir with those of the tree below path.
func wantMirrored(t *testing.T, dir string, tree []schemetest.File, path ...string) {
	t.Helper()
	for _, f := range tree {
		name := filepath.Join(append([]string{dir}, f.Path[len(path):]...)...)
		if b, err := os.ReadFile(name); err != nil || string(b) != f.Content {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

// The connection that listed a folder also downloads its files, with two commands for each: its
// size and time are those of the listing.
//
// Covers: A5
func TestMirrorOneConnection(t *testing.T) {
	t.Parallel()
	tree := folders(1, 50)
	lines, dir := mirror(t, tree, 1, []string{"top", "d0"}, download.Options{Resume: true})
	wantMirrored(t, dir, tree, "top", "d0")
	want := "USER PASS PWD FEAT OPTS CWD CWD EPSV MLSD TYPE" + strings.Repeat(" EPSV RETR", 50)
	if got := strings.Join(verbs(lines), " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Without MLSD, the size comes from LIST, whose times are not exact. MDTM goes in one write with
// TYPE or EPSV.
func TestMirrorListOnly(t *testing.T) {
	t.Parallel()
	tree := folders(1, 3)
	lines, dir := mirror(t, tree, 1, []string{"top", "d0"}, download.Options{}, ftptest.NoMLSD())
	wantMirrored(t, dir, tree, "top", "d0")
	if got := strings.Join(verbs(lines), " "); got != "USER PASS PWD FEAT OPTS CWD CWD EPSV LIST TYPE MDTM EPSV RETR MDTM EPSV RETR MDTM EPSV RETR" {
		t.Error(got)
	}
}

// verbs returns the commands without their arguments; QUIT may come too late to be seen.
func verbs(lines []string) (verbs []string) {
	for _, l := range lines {
		if verb, _, _ := strings.Cut(l, " "); verb != "QUIT" {
			verbs = append(verbs, verb)
		}
	}
	return verbs
}

// A mirror of many folders makes no more connections at once than it may, listings included.
func TestMirrorConnections(t *testing.T) {
	t.Parallel()
	tree := folders(5, 12)
	for _, connections := range []int{1, 3} {
		lines, dir := mirror(t, tree, connections, nil, download.Options{})
		wantMirrored(t, dir, tree)
		logins := 0
		for _, v := range verbs(lines) {
			if v == "USER" {
				logins++
			}
		}
		if logins > connections && connections == 1 {
			t.Errorf("%d logins", logins)
		}
	}
}

// A server that takes nothing but a data connection after PASV gets nothing else: no file is lost.
//
// Covers: A5
func TestMirrorDataNext(t *testing.T) {
	t.Parallel()
	tree := folders(6, 9)
	for _, connections := range []int{1, 4} {
		_, dir := mirror(t, tree, connections, nil, download.Options{}, ftptest.DataNext())
		wantMirrored(t, dir, tree)
	}
}

// A second mirror that resumes asks for nothing but the listings.
func TestMirrorResumeUpToDate(t *testing.T) {
	t.Parallel()
	for _, options := range [][]ftptest.Option{nil, {ftptest.NoMLSD()}} {
		tree := folders(2, 5)
		s, err := ftptest.Start(tree, options...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		dir := t.TempDir()
		mirrorAgain(t, s.URL(""), 2, dir, download.Options{})
		before := len(s.Lines())
		mirrorAgain(t, s.URL(""), 2, dir, download.Options{Resume: true})
		after := verbs(s.Lines()[before:])
		for _, verb := range []string{"RETR", "SIZE", "MDTM", "MLST"} {
			if slices.Contains(after, verb) {
				t.Errorf("%d options: %s in %q", len(options), verb, after)
			}
		}
		wantMirrored(t, dir, tree)
	}
}

// A listing that the server says it has cut does not show that a file is gone.
//
// Covers: A15
func TestMirrorTruncated(t *testing.T) {
	t.Parallel()
	tree := folders(1, 5)
	s, err := ftptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dir, u := t.TempDir(), s.URL("top", "d0", "")
	mirrorAgain(t, u, 1, dir, download.Options{})
	s.TruncateLists(2)
	to, err := download.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	var failed []string
	err = download.Mirror(t.Context(), newClient(t), scheme.Request{URL: u}, to, download.MirrorOptions{Options: download.Options{Resume: true}, Delete: true,
		Deleted: func(name string) { t.Errorf("removed %s", name) },
		Failed:  func(u locator.URL, err error) { failed = append(failed, u.Text()) }})
	if client.CodeOf(err) != scheme.CodeUnsupported || !slices.Equal(failed, []string{u.Text()}) {
		t.Errorf("%v, failed: %q", err, failed)
	}
	wantMirrored(t, dir, tree, "top", "d0")
}
