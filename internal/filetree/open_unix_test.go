//go:build unix

package filetree_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"locator/internal/filetree"
)

// A pipe in the place of a file is not waited for, and a link is not followed.
func TestOpen(t *testing.T) {
	t.Parallel()
	root := tree(t, "file=text", "link -> file", "folder/")
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"pipe": filetree.ErrNotRegular, "folder": filetree.ErrNotRegular, "link": syscall.ELOOP, "none": syscall.ENOENT} {
		if h, _, err := filetree.Open(filepath.Join(root, name), false); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v, want %v", name, h, err, want)
		}
	}
	for name, follow := range map[string]bool{"file": false, "link": true} {
		h, info, err := filetree.Open(filepath.Join(root, name), follow)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(h); string(text) != "text" || info.Size() != 4 || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		h.Close()
	}
	files, reports := walk(t, root, filetree.Options{})
	if len(files) != 1 || len(reports) != 2 {
		t.Error(files, reports)
	}
}

// Nothing but what was asked for is opened, and nothing outside the folder.
func TestOpenIn(t *testing.T) {
	t.Parallel()
	outer := tree(t, "file=text", "in/file=text", "in/link -> file", "in/out -> ../file", "in/folder/")
	dir := filepath.Join(outer, "in")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, kind := range []fs.FileMode{0, fs.ModeDir} {
		var opened []string
		for _, name := range []string{"file", "link", "out", "folder", "pipe", "none", "../file"} {
			if h, err := filetree.OpenIn(root, name, kind); err == nil {
				opened = append(opened, name)
				h.Close()
			}
		}
		want := []string{"file", "link"}
		if kind == fs.ModeDir {
			want = []string{"folder"}
		}
		if !slices.Equal(opened, want) {
			t.Errorf("kind %v: opens %v, want %v", kind, opened, want)
		}
	}
}
