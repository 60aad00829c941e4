package atomicfile

import (
	"os"

	"locator/internal/diskfile"
)

// Steps is called before each call of the system on whose order a file depends after a crash:
// begin, write, sync, rename and syncdir. It is nil except in tests.
type Steps func(call, name string)

func (s Steps) Before(call, name string) {
	if s != nil {
		s(call, name)
	}
}

// Sync writes the content of an open file to disk.
func (s Steps) Sync(h *os.File, name string) error {
	s.Before("sync", name)
	return h.Sync()
}

// SyncFolder writes the names in a folder to disk.
func (s Steps) SyncFolder(root *os.Root, name string) error {
	s.Before("syncdir", name)
	return diskfile.SyncFolder(root, name)
}
