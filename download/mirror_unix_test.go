//go:build unix

package download

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
)

// readOnly opens the folder, with an index to which nothing can be written.
func readOnly(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := f.UseIndex(); err != nil {
		t.Fatal(err)
	}
	if f.index.out, err = os.Open(filepath.Join(dir, IndexName)); err != nil {
		t.Fatal(err)
	}
	return f
}

// If the index cannot say that a link is gone, nothing is stored in the folder that has its name on
// the server. The link was removed before.
func TestForgetLinkFails(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(f *Folder) error{
		"a file": func(f *Folder) error {
			_, err := f.Reserve(parse(t, "x-tree://h/now/new"), []string{"now", "new"}).File()
			return err
		},
		"a file deeper": func(f *Folder) error {
			_, err := f.Reserve(parse(t, "x-tree://h/now/deep/new"), []string{"now", "deep", "new"}).File()
			return err
		},
		"an empty folder": func(f *Folder) error { return f.makeFolder([]string{"now"}, "x-tree://h/") },
	} {
		s, dir := linkSite(t), t.TempDir()
		s.addLink("now", "v2")
		s.mirror(dir, MirrorOptions{Options: Options{Existing: Update}})
		if _, ok := links(t, dir)["now"]; !ok {
			t.Fatal("no link was made")
		}
		before := files(t, dir)
		err := act(readOnly(t, dir))
		if _, there := links(t, dir)["now"]; there || client.CodeOf(err) != scheme.CodeLocal {
			t.Errorf("%s: %v, the link is there: %t", name, err, there)
		}
		if after := files(t, dir); len(after) > len(before) {
			t.Errorf("%s: files %q", name, after)
		}
	}
}

// If the index cannot say that something was removed here, what has its name on the server is an
// error.
func TestForgetMissingFails(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.serve("fold/inner", "none", "stays")
	o := MirrorOptions{Options: Options{Existing: Update}, EmptyFolders: true}
	s.mirror(dir, o)
	changeHere(t, dir, nil, []string{"fold", "none"})
	s.serve("fold", "none/", "stays")
	var failed []string
	o.Failed = func(u locator.URL, err error) {
		failed = append(failed, strings.TrimPrefix(u.Text(), "x-tree://h/"))
		if client.CodeOf(err) != scheme.CodeLocal || errors.Is(err, ErrInTheWay) {
			t.Errorf("%s: %v", u.Text(), err)
		}
	}
	Mirror(t.Context(), newTreeClient(t, s), scheme.Request{URL: parse(t, "x-tree://h/")}, readOnly(t, dir), o)
	if slices.Sort(failed); !slices.Equal(failed, []string{"", "fold"}) || len(s.gets) != 1+2 {
		t.Errorf("failed at %q, requested %q", failed, s.gets)
	}
}
