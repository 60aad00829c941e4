package file

import (
	"errors"
	"syscall"
)

// careful has no flags here: nothing that the checks of the name let through waits when it is opened.
const careful = 0

// notThere reports system errors that mean the same as "no such file": a name that cannot be one.
func notThere(err error) bool {
	const invalidName, notFolder = syscall.Errno(123), syscall.Errno(267)
	return errors.Is(err, invalidName) || errors.Is(err, notFolder)
}

// otherFileSystem reports the error of a rename from one drive to another.
func otherFileSystem(err error) bool {
	const notSameDevice = syscall.Errno(17)
	return errors.Is(err, notSameDevice)
}

// syncFolder does nothing: folders cannot be synced here.
func syncFolder(string) error { return nil }
