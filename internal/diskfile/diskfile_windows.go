package diskfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks an open file without waiting, alone or together with others that share the lock. The
// error is ErrLocked if somebody else holds the lock. It locks a byte far behind the end, because a
// lock on Windows also keeps others from reading.
func Lock(h *os.File, shared bool) error {
	raw, err := h.SyscallConn()
	if err != nil {
		return err
	}
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		at := &windows.Overlapped{OffsetHigh: 0x7FFFFFFF}
		failed = windows.LockFileEx(windows.Handle(fd), how, 0, 1, 0, at)
	}); err != nil {
		return err
	}
	if errors.Is(failed, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return failed
}

// Unlock releases the lock of an open file.
func Unlock(h *os.File) {
	raw, err := h.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = windows.UnlockFileEx(windows.Handle(fd), 0, 1, 0, &windows.Overlapped{OffsetHigh: 0x7FFFFFFF})
	})
}

// HasOtherName returns false: on Windows the answer needs an open handle.
func HasOtherName(fs.FileInfo) bool { return false }

// SyncFolder does nothing: Windows writes names to disk by itself.
func SyncFolder(*os.Root, string) error { return nil }
