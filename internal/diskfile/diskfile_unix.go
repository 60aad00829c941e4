//go:build unix

package diskfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lock locks an open file without waiting, alone or together with others that share the lock. The
// error is ErrLocked if somebody else holds the lock, and that of the system if the file system has
// no locks. The lock ends with the process, or with Unlock.
func Lock(h *os.File, shared bool) error {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	err := Control(h, func(fd int) error { return unix.Flock(fd, how|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// Unlock releases the lock of an open file. Close alone is not enough: while another goroutine
// starts a process, the child holds a copy of the descriptor, and with it the lock, between fork
// and exec.
func Unlock(h *os.File) {
	_ = Control(h, func(fd int) error { return unix.Flock(fd, unix.LOCK_UN) })
}

// Control calls do with the descriptor of an open file.
func Control(h *os.File, do func(fd int) error) error {
	raw, err := h.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	return cmp.Or(err, failed)
}

// HasOtherName reports whether a file has several hard links.
func HasOtherName(in fs.FileInfo) bool {
	s, ok := in.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}

// SyncFolder writes the names in a folder of root to disk.
func SyncFolder(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err // some file systems cannot sync a folder
	}
	return nil
}
