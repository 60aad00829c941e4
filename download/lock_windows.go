package download

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks an open file without waiting; it returns errLocked if somebody else holds the lock. It locks a byte far behind the
// end, because a lock on Windows also keeps others from reading.
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

// rename gives the part its final name. Windows cannot rename an open file.
func (p *part) rename(f File) error {
	if err := p.h.Close(); err != nil {
		return err
	}
	return f.Root.Rename(f.partName(), f.Name)
}

// syncFolder does nothing: Windows writes names to disk by itself.
func (File) syncFolder() error { return nil }

// hasOtherName returns false: on Windows the answer needs an open handle.
func hasOtherName(fs.FileInfo) bool { return false }
