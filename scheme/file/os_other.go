//go:build !linux

package file

import "os"

// renameNew renames. The caller has found nothing under the new name.
func renameNew(from, to string) error { return os.Rename(from, to) }
