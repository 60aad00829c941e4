package main

import "io/fs"

// newFileMode returns 0: Windows has no umask.
func newFileMode() fs.FileMode { return 0 }
