//go:build unix

package file

import (
	"errors"
	"os"
	"syscall"
)

// careful are the flags that keep an open from waiting and from taking a terminal.
const careful = syscall.O_NONBLOCK | syscall.O_NOCTTY

// notThere reports system errors that mean the same as "no such file": a file in the place of a folder, a name that is
// too long to be one.
func notThere(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// otherFileSystem reports the error of a rename from one file system to another.
func otherFileSystem(err error) bool { return errors.Is(err, syscall.EXDEV) }

// syncFolder makes a rename last.
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
