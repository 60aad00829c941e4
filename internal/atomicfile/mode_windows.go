package atomicfile

import (
	"io/fs"
	"os"
)

// keepGroup returns the permissions of the old file. Windows has no groups of files.
func keepGroup(_ *os.File, old fs.FileInfo) fs.FileMode { return old.Mode().Perm() }
