//go:build unix

package file

import (
	"errors"
	"os"
	"syscall"
)

// nonBlocking are the flags with which an open neither blocks nor acquires a controlling terminal.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY

// isNotExist reports whether err means "no such file": a file used as a folder, or a name that is
// too long.
func isNotExist(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// otherFileSystem reports whether err is the error of a rename to another file system.
func otherFileSystem(err error) bool { return errors.Is(err, syscall.EXDEV) }

// syncFolder syncs a folder, so that a rename in it is durable.
func syncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err // some file systems cannot sync a folder
	}
	return nil
}
