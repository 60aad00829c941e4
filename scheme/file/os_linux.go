package file

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames, and replaces nothing. File systems that cannot do both at once rename as the caller has found it.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return os.Rename(from, to)
	}
	return &linkError{Op: "rename", Old: from, New: to, Err: err}
}
