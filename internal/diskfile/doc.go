// Package diskfile has what package os lacks for files that several processes write to and that
// must survive a crash: locks, the number of hard links, and folders that are written to disk.
package diskfile

import "errors"

// ErrLocked says that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("locked")
