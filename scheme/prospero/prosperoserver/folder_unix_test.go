//go:build unix

package prosperoserver

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe in the folder does not stop the server.
//
// Covers: A13, T100
func TestNamedPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"pipe", LinksFile} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := startDir(t, dir)
	for i, c := range []struct{ request, want string }{
		{"DIRECTORY ASCII AFTP/pipe\nLIST '' COMPONENTS\n", "FAILURE NOT-A-DIRECTORY"},
		{"GET-OBJECT-INFO CONTENTS ASCII AFTP/pipe\n", "NONE-FOUND"},
		{"DIRECTORY ASCII AFTP\nLIST '' COMPONENTS\n", "NONE-FOUND"},
	} {
		if got := exchange(t, s, uint16(i+1), c.request); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: answered with %q, want %s", c.request, got, c.want)
		}
	}
}
