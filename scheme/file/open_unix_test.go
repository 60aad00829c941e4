//go:build unix

package file

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that comes into the place of a file between the first look and the open does not make the open wait.
func TestOpenDoesNotWait(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := openRead(name) // would wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if a, err := openAppend(name); err == nil {
		a.Close()
	}
	p := &place{name: name}
	info, err := f.Stat()
	if err != nil || p.plain(info) == nil {
		t.Errorf("the second look lets it through: %v", err)
	}
}
