//go:build unix

package file

import (
	"path/filepath"
	"syscall"
	"testing"
)

// If a pipe replaces a file between the check and the open, the open does not block.
//
// Covers: T155
func TestOpenDoesNotWait(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := openRead(name) // must not block
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if a, err := openAppend(name); err == nil {
		a.Close()
	}
	p := &place{name: name}
	info, err := f.Stat()
	if err != nil || p.checkKind(info) == nil {
		t.Errorf("the check after opening allows it: %v", err)
	}
}
