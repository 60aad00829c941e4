package download

import (
	"os"
	"strings"

	"locator/internal/symlink"
)

// openDir is a folder below a Folder that is kept open, so that the system looks up one name for
// each file in it, however deep the folder is.
type openDir struct {
	of    *Folder
	root  *os.Root
	name  string // "" for the Folder itself
	files int    // not closed yet
}

// maxIdleDirs bounds how many folders stay open without a file in use. It is a bound on file
// descriptors.
const maxIdleDirs = 16

// openDir returns an open folder, and creates it if it does not exist. The caller holds the lock.
func (f *Folder) openDir(name string) (*openDir, error) {
	if name == "" {
		return &openDir{of: f, root: f.root}, nil
	}
	d := f.open[name]
	if d == nil {
		err := symlink.Check(f.root, name)
		if err == nil {
			err = f.root.MkdirAll(name, 0o777)
		}
		if err != nil {
			return nil, err
		}
		root, err := f.root.OpenRoot(name)
		if err != nil {
			return nil, err
		}
		d = &openDir{of: f, root: root, name: name}
		f.open[name] = d
	}
	d.files++
	return d, nil
}

// release ends the use of a folder by a file, and closes idle folders beyond maxIdleDirs. The
// caller holds the lock.
func (f *Folder) release(d *openDir) {
	if d.name == "" {
		return
	}
	d.files--
	for name, other := range f.open {
		if len(f.open) <= maxIdleDirs {
			return
		}
		if other.files == 0 && other != d { // the next file is most likely in the same folder as the last one
			other.root.Close()
			delete(f.open, name)
		}
	}
}

// release is File.Close.
func (d *openDir) release() error {
	d.of.mu.Lock()
	defer d.of.mu.Unlock()
	d.of.release(d)
	return nil
}

// forgetDir closes a folder that has been removed, and makes its name free again. The caller holds
// the lock.
func (f *Folder) forgetDir(local string, names []string) {
	if d := f.open[local]; d != nil && d.files == 0 {
		d.root.Close()
		delete(f.open, local)
	}
	if key := strings.Join(names, "\x00"); f.dirs[key] == local {
		delete(f.dirs, key)
		delete(f.taken, f.fold(local))
	}
}
