package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "f")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error { io.WriteString(w, s); return err }
	}
	failed := errors.New("failed")
	for _, tt := range []struct {
		text string
		err  error
		want string
	}{{"one, which is long", nil, "one, which is long"}, {"cut", failed, "one, which is long"}, {"two", nil, "two"}} {
		if err := Write(name, 0o640, text(tt.text, tt.err)); err != tt.err {
			t.Errorf("%q: %v", tt.text, err)
		}
		got, err := os.ReadFile(name)
		if info, statErr := os.Stat(name); err != nil || statErr != nil || string(got) != tt.want || info.Mode().Perm() != 0o640 {
			t.Errorf("after %q: %q, %v, %v", tt.text, got, err, info.Mode())
		}
	}
}
