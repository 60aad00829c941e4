//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"locator/internal/diskfile"
)

// isHeld keeps a copy of the descriptor until the test ends, as a child process does between fork
// and exec.
func isHeld(t *testing.T, h *os.File) {
	t.Helper()
	raw, err := h.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	copied := -1
	if e := raw.Control(func(fd uintptr) { copied, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); e != nil || err != nil {
		t.Fatal(e, err)
	}
	t.Cleanup(func() { unix.Close(copied) })
}

// A part that is closed or has its final name is not locked, even while a child process has a copy
// of its descriptor.
//
// Covers: P4
func TestLockEndsWithThePart(t *testing.T) {
	t.Parallel()
	f := place(t)
	for range 2 { // the second time the lock of the first must be gone
		p, err := f.OpenPart(true, 0)
		if err != nil {
			t.Fatal(err)
		}
		isHeld(t, p.File)
		if _, err := f.OpenPart(true, 0); err == nil {
			t.Fatal("a part is opened twice at once")
		}
		p.Close()
	}
	p, err := f.OpenPart(true, 0)
	if err != nil {
		t.Fatal(err)
	}
	isHeld(t, p.File)
	if err := p.Commit(f); err != nil {
		t.Fatal(err)
	}
	h, err := f.Root.Open(f.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := Lock(h); errors.Is(err, diskfile.ErrLocked) {
		t.Error("a file that has its final name is still locked")
	}
}

// A part whose name belongs to another file by now is not left locked.
//
// Covers: P4
func TestLockEndsWithTheName(t *testing.T) {
	t.Parallel()
	f := place(t)
	h, err := f.Root.Create("other")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if ok, err := f.lockPart(h, false); ok || err != nil {
		t.Fatal(ok, err)
	}
	again, err := f.Root.Open("other")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := Lock(again); err != nil {
		t.Error(err)
	}
}
