//go:build unix

package download

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"
)

// lock locks an open file without waiting; it returns errLocked if somebody else holds the lock. The lock ends with the
// process, or with unlock. On a file system without locks it does nothing.
func lock(h *os.File) error {
	err := control(h, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errLocked
	}
	return nil
}

// unlock releases the lock of an open file. Close alone is not enough: while another goroutine starts a process, the child
// holds a copy of the descriptor, and with it the lock, between fork and exec.
func unlock(h *os.File) {
	control(h, func(fd int) error { return unix.Flock(fd, unix.LOCK_UN) })
}

// control calls do with the descriptor of an open file.
func control(h *os.File, do func(fd int) error) error {
	raw, err := h.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	return cmp.Or(err, failed)
}

// hasOtherName reports whether a file has several hard links.
func hasOtherName(in fs.FileInfo) bool {
	s, ok := in.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}

// rename gives the part its final name, and then releases the lock.
func (p *part) rename(f File) error {
	if err := flush(p.h); err != nil {
		return err
	}
	if err := f.Root.Rename(f.partName(), f.Name); err != nil {
		return err
	}
	unlock(p.h)
	return p.h.Close()
}

// flush returns write errors that some file systems (NFS, quotas) report only when a descriptor is closed.
func flush(h *os.File) error {
	return control(h, func(fd int) error {
		second, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return err
		}
		return unix.Close(second)
	})
}

// syncFolder writes the names in the file's folder to disk.
func (f File) syncFolder() error {
	d, err := f.Root.Open(path.Dir(f.Name))
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err // some file systems cannot sync a folder
	}
	return nil
}
