package download

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"locator/scheme"
)

// A file is on disk before its name.
//
// Covers: P4
func TestOrder(t *testing.T) {
	t.Parallel()
	var got []string
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := newSource(octets(100)).fetch(t, File{Root: root, Name: "name", Sync: true, step: func(call, name string) { got = append(got, call+" "+name) }}, Options{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"sync name.part", "rename name", "syncdir ."}) {
		t.Errorf("a download: %q", got)
	}
}

func TestReserved(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"a": false, "part": false, "a.part": true, "a.PART": true, "a.part.state": true, "a.state": false, "a.part.x": false} {
		if reserved(name) != want {
			t.Errorf("reserved(%q) = %v", name, !want)
		}
	}
}

// OpenFile replaces the target of a link and refuses what is not a file.
func TestOpenFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		f, err := OpenFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Write(f, 0, func(w io.Writer) (int64, error) {
			if in, err := os.Stat(f.PartPath()); err != nil || !in.Mode().IsRegular() {
				t.Errorf("%s: the part is not at %s", name, f.PartPath())
			}
			n, err := io.WriteString(w, text)
			return int64(n), err
		}); err != nil {
			t.Error(err)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	}
	put("new", "1")
	put("new", "2")
	if err := os.Symlink("new", filepath.Join(dir, "link")); err == nil { // not every system has links
		put("link", "3")
		if in, err := os.Lstat(filepath.Join(dir, "link")); err != nil || in.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v", err)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "new")); string(got) != "3" {
			t.Errorf("the target has %q", got)
		}
	}
	_, err := OpenFile(dir)
	wantCode(t, err, scheme.CodeUsage)
	_, err = OpenFile(filepath.Join(dir, "no", "file"))
	wantCode(t, err, scheme.CodeLocal)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	_, err = OpenFolder(filepath.Join(dir, "new", "x"))
	wantCode(t, err, scheme.CodeLocal)
}
