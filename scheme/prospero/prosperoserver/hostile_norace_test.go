//go:build !race

package prosperoserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A request never costs more than its bounds: commands, bytes of the reply, items of a folder.
//
// Covers: A13, T100
func TestRequestBounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big"), []byte(strings.Repeat("'", maxContent)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startDir(t, dir)
	big := "GET-OBJECT-INFO CONTENTS ASCII AFTP/big\n"
	if got := s.answer([]byte(big)); len(got) < 2*maxContent {
		t.Errorf("the largest file is answered with %.100q", got)
	}
	for name, request := range map[string]string{"replies": strings.Repeat(big, 3), "commands": strings.Repeat("SELECT x\n", 1000)} {
		if got := s.answer([]byte(request)); string(got) != tooMany {
			t.Errorf("%s: answered with %d bytes, %.100q", name, len(got), got)
		}
	}
}
