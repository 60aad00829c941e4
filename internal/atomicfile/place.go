package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"locator/internal/symlink"
	"locator/scheme"
	"locator/wire"
)

// A Place is where a file is stored: a name in an open folder.
type Place struct {
	Root *os.Root // the folder; no symbolic link leads out of it
	Dir  string   // the path of Root, for messages; "" leaves it out
	Name string   // in Root; it may contain "/", and the folders must exist
	Sync bool     // write the contents to disk before the file gets its name, and the name after that
	Step Steps
}

// The suffixes of the names of a file that is incomplete.
const (
	PartSuffix = ".part"
	ModeSuffix = ".part.mode" // see newMode
)

// IndexName is the name of the index in a folder of downloads. It may belong to another user.
const IndexName = ".locator"

// Open returns the Place for a path. The folder must exist, the file need not. If the path is a
// symbolic link, the file that it points to is replaced and the link stays. A link of another user
// in a folder that everyone can write to, such as /tmp, is not followed, wherever it is in the
// path. The error has code CodeUsage if something other than a regular file has that name, and
// CodeLocal for such a link, or if the folder cannot be opened. The caller must Close the Place.
func Open(name string) (Place, error) {
	name, err := symlink.Resolve(name)
	if err != nil {
		return Place{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	if in, err := os.Stat(name); err == nil && !in.Mode().IsRegular() {
		return Place{}, scheme.Fail(scheme.CodeUsage, "%s is not a regular file", name)
	}
	dir := filepath.Dir(name)
	root, err := symlink.OpenRoot(dir)
	if err != nil {
		return Place{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return Place{Root: root, Dir: dir, Name: filepath.Base(name)}, nil
}

// Close closes the folder. It may be called more than once.
func (f Place) Close() error { return f.Root.Close() }

// PartName returns the name that the file has in Root while it is incomplete.
func (f Place) PartName() string { return f.Name + PartSuffix }

func (f Place) modeName() string { return f.Name + ModeSuffix }

// Shown returns the path of a name in Root, escaped for messages.
func (f Place) Shown(name string) string { return wire.Escape(filepath.Join(f.Dir, name)) }

// Local returns a file system error with the code CodeLocal. Paths in the errors of os.Root are
// relative; Local adds Dir.
func (f Place) Local(err error) error {
	if err == nil {
		return nil
	}
	var one *fs.PathError
	var two *os.LinkError
	switch {
	case f.Dir == "":
	case errors.As(err, &one) && filepath.Base(one.Path) == one.Path: // errors of an open file have the whole path
		one.Path = filepath.Join(f.Dir, one.Path)
	case errors.As(err, &two) && filepath.Base(two.Old) == two.Old:
		two.Old, two.New = filepath.Join(f.Dir, two.Old), filepath.Join(f.Dir, two.New)
	}
	return scheme.Fail(scheme.CodeLocal, "%w", err)
}
