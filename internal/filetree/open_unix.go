//go:build unix

package filetree

import (
	"os"
	"syscall"
)

// openFlags returns the flags with which a file is opened: opening a pipe does not wait for its
// other end.
func openFlags(follow bool) int {
	flags := os.O_RDONLY | syscall.O_NONBLOCK
	if !follow {
		flags |= syscall.O_NOFOLLOW
	}
	return flags
}
