package download

import (
	"os"

	"locator/internal/diskfile"
)

// steps is called before each call of the system on whose order a file depends after a crash: begin, write, sync, rename and syncdir. It
// is nil except in tests.
type steps func(call, name string)

func (s steps) before(call, name string) {
	if s != nil {
		s(call, name)
	}
}

// sync writes the content of an open file to disk.
func (s steps) sync(h *os.File, name string) error {
	s.before("sync", name)
	return h.Sync()
}

// syncFolder writes the names in a folder to disk.
func (s steps) syncFolder(root *os.Root, name string) error {
	s.before("syncdir", name)
	return diskfile.SyncFolder(root, name)
}
