package file_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
)

// Resume keeps the incomplete file after an error, continues it, and gives the complete one its
// time.
//
// Covers: K2
func TestResume(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "old")
	c, r := disk(t), scheme.Request{URL: at(t, filepath.Join(dir, "a.txt"))}
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	resume := func(b scheme.Body, offset int64, part string) error {
		res, err := c.Resume(t.Context(), r, b, part, offset, &scheme.WriteOptions{Modified: modified})
		if err == nil {
			err = res.Close()
		}
		return err
	}
	if err := resume(scheme.Body{Reader: &failing{"one, "}}, 0, "p"); client.CodeOf(err) != scheme.CodeLocal {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.txt": "old", "p": "one, "})
	if err := resume(body("two"), 3, "p"); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("another size: %v", err)
	}
	for _, part := range []string{"", "../p", "x\x00"} {
		if err := resume(body("two"), 0, part); client.CodeOf(err) != scheme.CodeUsage {
			t.Errorf("%q: %v", part, err)
		}
	}
	if err := resume(body("two"), 5, "p"); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.txt": "one, two"})
	if in, err := os.Stat(filepath.Join(dir, "a.txt")); err != nil || !in.ModTime().Equal(modified) {
		t.Errorf("%v, %v", in.ModTime(), err)
	}
	target := write(t, filepath.Join(dir, "target"), "12345")
	if runtime.GOOS == "windows" { // not every user may make links there
		return
	}
	if err := os.Symlink(target, filepath.Join(dir, "p")); err != nil {
		t.Fatal(err)
	}
	if err := resume(body("two"), 5, "p"); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("a link: %v", err)
	}
	if err := resume(body("two"), 0, "p"); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.txt": "two", "target": "12345"})
}
