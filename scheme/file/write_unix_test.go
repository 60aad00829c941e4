//go:build unix

package file_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// watcher is a body that checks the folder when it is read.
type watcher struct {
	dir  string
	seen map[string]os.FileMode
	text io.Reader
}

func (w *watcher) Read(p []byte) (int, error) {
	entries, _ := os.ReadDir(w.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			w.seen[e.Name()] = info.Mode().Perm()
		}
	}
	return w.text.Read(p)
}

// A file keeps its permissions when it is replaced, and the temporary file has the same.
//
// Covers: A15
func TestReplaceKeepsRights(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o777} {
		dir := t.TempDir()
		path := write(t, filepath.Join(dir, "secret"), "old")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		w := &watcher{dir: dir, seen: make(map[string]os.FileMode), text: strings.NewReader("new")}
		res, err := disk(t).Replace(t.Context(), scheme.Request{URL: at(t, path)}, scheme.Body{Reader: w, Size: scheme.Known(3)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v: the new file has %v, %v", mode, info.Mode(), err)
		}
		if len(w.seen) != 2 {
			t.Errorf("%v: the folder holds %v", mode, w.seen)
		}
		for name, got := range w.seen {
			if got != mode {
				t.Errorf("%v: while it is written, %s has %v", mode, name, got)
			}
		}
	}
}
