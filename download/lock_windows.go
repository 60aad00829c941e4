package download

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the lock of an open file without waiting. It lies on an octet far behind all others, since a lock of this
// system keeps others from reading, too.
func lock(h *os.File) error {
	raw, err := h.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		at := &windows.Overlapped{OffsetHigh: 0x7FFFFFFF}
		failed = windows.LockFileEx(windows.Handle(fd), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	}); err != nil {
		return err
	}
	if errors.Is(failed, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return nil
}

// unlock does nothing: no process inherits the handle, so Close releases the lock.
func unlock(*os.File) {}

// rename gives the part its final name. This system renames no open file.
func (p *part) rename(f File) error {
	if err := p.h.Close(); err != nil {
		return err
	}
	return f.Root.Rename(f.Part(), f.Name)
}

// syncFolder does nothing: this system writes names down by itself.
func (File) syncFolder() error { return nil }

// hasOtherName is false: it takes more than the name to find out here.
func hasOtherName(fs.FileInfo) bool { return false }
