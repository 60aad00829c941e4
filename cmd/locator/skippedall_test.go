package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme/gopher/gophertest"
)

// TestSkippedAll walks a menu whose items all lead to other servers, and says so.
func TestSkippedAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gophermap"), []byte("1Other\t/\tother.example\t70\n0Text\t/text\tother.example\t70\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := gophertest.Start(nil, gophertest.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := "gopher://" + s.Addr() + "/"
	for _, args := range [][]string{{"list", "-r", url}, {"get", "--recursive", "--dir", t.TempDir(), "--no-listings", url}} {
		out, errs, status := runText(t, "", args...)
		if want := "nothing is below it; 2 URLs skipped; -v says why"; status != 0 || !strings.Contains(errs, want) {
			t.Errorf("%q: %d, %q, %q, want %q", args, status, out, errs, want)
		}
	}
}
