package file

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames without replacing an existing file. On file systems that do not support this,
// it may replace a file that was created after the caller's check.
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
