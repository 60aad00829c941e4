package atomicfile

import (
	"os"

	"locator/internal/diskfile"
)

// Lock locks an open file without waiting; it returns diskfile.ErrLocked if somebody else holds the
// lock.
func Lock(h *os.File) error { return diskfile.Lock(h, false) }

// rename renames the part to its final name. Windows cannot rename an open file.
func (p *Part) rename(f Place) error {
	if err := p.File.Close(); err != nil {
		return err
	}
	f.Step.Before("rename", f.Name)
	return f.Root.Rename(f.PartName(), f.Name)
}
