package file

import (
	"errors"
	"syscall"
)

// nonBlocking has no flags: opening a name that passes the checks does not block.
const nonBlocking = 0

// isNotExist reports whether err means "no such file": an invalid name, or a file used as a folder.
func isNotExist(err error) bool {
	const invalidName, notFolder = syscall.Errno(123), syscall.Errno(267)
	return errors.Is(err, invalidName) || errors.Is(err, notFolder)
}

// otherFileSystem reports whether err is the error of a rename to another drive.
func otherFileSystem(err error) bool {
	const notSameDevice = syscall.Errno(17)
	return errors.Is(err, notSameDevice)
}

// syncFolder does nothing: Windows cannot sync folders.
func syncFolder(string) error { return nil }
