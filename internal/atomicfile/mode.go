package atomicfile

import (
	"errors"
	"io/fs"
	"os"

	"locator/internal/symlink"
)

// setMode sets the permissions of the part to those that the file is to have: those of the file
// that it replaces, or else the mode of OpenPart. A file that another user put into a folder such
// as /tmp adds no permissions to that mode.
func (p *Part) setMode(f Place) error {
	mode := p.mode
	old, err := f.Root.Lstat(f.Name)
	replaces := err == nil && old.Mode().IsRegular()
	trusted := replaces && (symlink.Owned(old) || !f.shared())
	if mode == 0 && !trusted {
		mode = f.newMode()
	}
	switch {
	case trusted:
		mode = keepGroup(p.File, old)
	case replaces:
		mode &= old.Mode().Perm()
	}
	return chmod(p.File, mode)
}

// newMode returns the permissions of the system for new files in the folder. There is no other way
// to learn them: to read the umask is to change it, which would be a race with other goroutines.
func (f Place) newMode() fs.FileMode {
	f.Root.Remove(f.modeName()) // of a process that was killed
	h, err := f.Root.OpenFile(f.modeName(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return PartMode
	}
	defer f.Root.Remove(f.modeName())
	defer h.Close()
	in, err := h.Stat()
	if err != nil {
		return PartMode
	}
	return in.Mode().Perm()
}

// chmod changes the permissions of an open file. It does nothing on a file system that has no
// permissions.
func chmod(h *os.File, mode fs.FileMode) error {
	in, err := h.Stat()
	if err != nil || in.Mode().Perm() == mode {
		return err
	}
	err = h.Chmod(mode)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
