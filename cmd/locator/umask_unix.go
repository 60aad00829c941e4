//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// newFileMode returns the permissions of new files: 0666 without the umask. The umask is 077 for a
// moment, so it must be called before other goroutines make files.
func newFileMode() fs.FileMode {
	umask := syscall.Umask(0o077)
	syscall.Umask(umask)
	return 0o666 &^ fs.FileMode(umask)
}
