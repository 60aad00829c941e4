package download

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"locator/scheme"
)

// A mirror releases the folders of all files when it ends, of those that failed, too.
func TestMirrorReleases(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]MirrorOptions{
		"all are stored":     {},
		"too many names":     {Options: Options{Quota: quotaOf(t, 1<<20, 3*256)}},
		"existing are kept":  {Options: Options{Existing: Refuse}},
		"everything refuses": {Options: Options{SHA256: sha([]byte("another"))}},
	} {
		s := newSite(t)
		var paths []string
		for i := range 2 * maxIdleDirs {
			paths = append(paths, fmt.Sprintf("d%02d/a", i), fmt.Sprintf("d%02d/b", i))
		}
		s.serve(paths...)
		f := openFolder(t, t.TempDir())
		c := newTreeClient(t, s)
		for range 2 {
			Mirror(t.Context(), c, scheme.Request{URL: parse(t, "x-tree://h/")}, f, o)
		}
		if len(f.open) > maxIdleDirs {
			t.Errorf("%s: %d folders are open", name, len(f.open))
		}
		for dir, d := range f.open {
			if d.files != 0 {
				t.Errorf("%s: %d files of %s are in use", name, d.files, dir)
			}
		}
	}
}

// Write closes the part, whatever happens.
func TestWriteCloses(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		var h *os.File
		_, err := Write(place(t), 0, func(w io.Writer) (int64, error) {
			h = w.(*os.File)
			if fails {
				return 0, io.ErrUnexpectedEOF
			}
			return 0, nil
		})
		if (err != nil) != fails {
			t.Error(err)
		}
		if _, err := h.Stat(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("fails %v: the part is still open: %v", fails, err)
		}
	}
}
