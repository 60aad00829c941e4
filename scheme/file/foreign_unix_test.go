//go:build unix

package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
)

// In a folder such as /tmp, a file is not written through a link of another user, and does not get the permissions that another user
// gave the file in its place.
//
// Covers: P6, T162
func TestPlanted(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		peers.Skip(t, "files of another user: only root can make them")
	}
	const other = 65534
	dir, mine := t.TempDir(), t.TempDir()
	os.Chmod(dir, 0o777|fs.ModeSticky)
	write(t, filepath.Join(mine, "file"), "mine")
	write(t, filepath.Join(dir, "planted"), "theirs")
	os.Chmod(filepath.Join(dir, "planted"), 0o777)
	os.Symlink(filepath.Join(mine, "file"), filepath.Join(dir, "link"))
	os.Symlink(mine, filepath.Join(dir, "folder"))
	for _, name := range []string{"planted", "link", "folder"} {
		if err := os.Lchown(filepath.Join(dir, name), other, other); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "folder/file", "folder/new"} {
		for _, do := range []string{"replace", "update"} {
			r := scheme.Request{URL: at(t, filepath.Join(dir, name))}
			var err error
			if do == "replace" {
				_, err = disk(t).Replace(t.Context(), r, body("new"), nil)
			} else {
				_, err = disk(t).Update(t.Context(), r, body("new"), nil)
			}
			if wantCode(t, err, scheme.CodeLocal); !errors.Is(err, symlink.ErrForeign) {
				t.Errorf("%s %s: %v", do, name, err)
			}
		}
	}
	holds(t, mine, map[string]string{"file": "mine"})
	if _, err := disk(t).Replace(t.Context(), scheme.Request{URL: at(t, filepath.Join(dir, "planted"))}, body("new"), nil); err != nil {
		t.Fatal(err)
	}
	if in, err := os.Stat(filepath.Join(dir, "planted")); err != nil || in.Mode().Perm()&0o133 != 0 || !symlink.Owned(in) {
		t.Errorf("%v, %v", in.Mode(), err)
	}
}
