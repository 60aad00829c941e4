//go:build !linux

package file

import "os"

// renameNew renames. It may replace a file that was created after the caller's check.
func renameNew(from, to string) error { return os.Rename(from, to) }
