package download

import (
	"os"

	"locator/internal/diskfile"
)

// lock locks an open file without waiting; it returns diskfile.ErrLocked if somebody else holds the lock.
func lock(h *os.File) error { return diskfile.Lock(h, false) }

// rename gives the part its final name. Windows cannot rename an open file.
func (p *part) rename(f File) error {
	if err := p.h.Close(); err != nil {
		return err
	}
	f.step.before("rename", f.Name)
	return f.Root.Rename(f.partName(), f.Name)
}
