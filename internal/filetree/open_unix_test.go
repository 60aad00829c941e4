//go:build unix

package filetree_test

import (
	"errors"
	"io"
	"path/filepath"
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
