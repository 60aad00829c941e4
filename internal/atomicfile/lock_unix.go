//go:build unix

package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"locator/internal/diskfile"
)

// Lock locks an open file without waiting; it returns diskfile.ErrLocked if somebody else holds the
// lock. On a file system without locks it does nothing.
func Lock(h *os.File) error {
	if err := diskfile.Lock(h, false); errors.Is(err, diskfile.ErrLocked) {
		return err
	}
	return nil
}

// rename renames the part to its final name, and then releases the lock.
func (p *Part) rename(f Place) error {
	if err := flush(p.File); err != nil {
		return err
	}
	f.Step.Before("rename", f.Name)
	if err := f.Root.Rename(f.PartName(), f.Name); err != nil || p.Keep {
		return err
	}
	diskfile.Unlock(p.File)
	return p.File.Close()
}

// flush returns write errors that some file systems (NFS, quotas) report only when a descriptor is
// closed.
func flush(h *os.File) error {
	return diskfile.Control(h, func(fd int) error {
		second, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return err
		}
		return unix.Close(second)
	})
}
