package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file created under the new name after the check is not replaced.
//
// Covers: A15
func TestRenameNew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for _, name := range []string{from, to} {
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := renameNew(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != to {
		t.Errorf("the other file holds %q, %v", got, err)
	}
	if !otherFileSystem(&linkError{Err: syscall.EXDEV}) || otherFileSystem(nil) {
		t.Error("another file system is not known by its error")
	}
}

// Devices, pipes and sockets cannot be removed or renamed.
//
// Covers: A12, T155
func TestChangeSpecial(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	p := &place{name: pipe}
	if err := p.mustBe(false); err == nil {
		t.Error("a pipe may be changed")
	}
}
