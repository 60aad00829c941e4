//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme"
)

// A netrc file that other users can read is reported once in a run.
//
// Covers: P3, T78
func TestReadableNetrc(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(file, []byte("machine h login u password p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]string{0o600: "", 0o640: "", 0o644: "warning: all users of this computer can read " + file + "; run: chmod 600 " + file} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		s := Settings{Warn: func(text string) { errs.WriteString(text) }}
		source := s.netrcFileLogin(file, false)
		for range 2 {
			if user, password, ok, err := source(t.Context(), scheme.LoginRequest{Host: "h"}); user != "u" || password != "p" || !ok || err != nil {
				t.Errorf("%q, %q, %v, %v", user, password, ok, err)
			}
		}
		if errs.String() != want {
			t.Errorf("%v: %q, want %q", mode, errs.String(), want)
		}
	}
}
