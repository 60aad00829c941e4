//go:build unix

package file_test

import (
	"os"
	"path/filepath"
	"testing"

	"locator"
	"locator/scheme"
	"locator/tree"
)

// A folder, or the whole tree, is replaced by a link while the tree is being removed. Nothing behind the link is.
//
// Covers: P6, T116
func TestRemoveAllRace(t *testing.T) {
	t.Parallel()
	for _, swap := range []string{"tree/b", "tree"} {
		top, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"tree/b", "outside/b"} {
			if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"tree/b/a", "tree/b/precious", "outside/a", "outside/b/a", "outside/precious", "outside/b/precious"} {
			if err := os.WriteFile(filepath.Join(top, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := disk(t)
		failed, swapped := 0, false
		err = tree.RemoveAll(t.Context(), c, scheme.Request{URL: at(t, top+"/tree")}, tree.RemoveAllOptions{
			Removed: func(locator.URL, bool) {
				if swapped {
					return
				}
				swapped = true
				if err := os.Rename(filepath.Join(top, swap), filepath.Join(top, "moved")); err != nil {
					t.Error(err)
				}
				if err := os.Symlink(filepath.Join(top, "outside"), filepath.Join(top, swap)); err != nil {
					t.Error(err)
				}
			},
			Failed: func(locator.URL, error) { failed++ },
		})
		for _, name := range []string{"outside/a", "outside/precious", "outside/b/a", "outside/b/precious"} {
			if _, there := os.Lstat(filepath.Join(top, name)); there != nil {
				t.Errorf("%s was replaced by a link: %v", swap, there)
			}
		}
		if err == nil || failed == 0 || !swapped {
			t.Errorf("%s: %v, %d failures", swap, err, failed)
		}
	}
}
