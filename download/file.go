package download

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/internal/symlink"
	"locator/scheme"
	"locator/transfer"
	"locator/wire"
)

// File is where a download is stored: a name in an open folder. [OpenFile] and [Folder.File] make one, and the caller must
// Close it. A File that is put together from an os.Root needs no Close.
type File struct {
	Root *os.Root // the folder; no symbolic link leads out of it
	Dir  string   // the path of Root, for messages; "" leaves it out
	Name string   // in Root; it may contain "/", and the folders must exist
	// Sync writes the contents to disk before the file gets its name, and the name after that.
	Sync bool

	served   string             // the server's name for the file, if it is not used here
	inFolder string             // the path in its Folder, with slashes; "" if there is none
	close    func() error       // nil if there is nothing to close
	from     string             // the URL of the mirror that the file belongs to, as in the index
	old      record             // of the file that exists, if the folder has an index
	remember func(record) error // records the file; nil if the folder has no index
	step     steps
}

// OpenFile returns the File for a path. The folder must exist, the file need not. If the path is a symbolic link, the file
// that it points to is replaced and the link stays. A link of another user in a folder that everyone can write to, such as
// /tmp, is not followed, wherever it stands in the path. The error has code CodeUsage if something other than a regular file
// has that name, and CodeLocal for such a link, or if the folder cannot be opened.
func OpenFile(name string) (File, error) {
	name, err := symlink.Resolve(name)
	if err != nil {
		return File{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	if in, err := os.Stat(name); err == nil && !in.Mode().IsRegular() {
		return File{}, scheme.Fail(scheme.CodeUsage, "%s is not a regular file", name)
	}
	dir := filepath.Dir(name)
	root, err := symlink.OpenRoot(dir)
	if err != nil {
		return File{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return File{Root: root, Dir: dir, Name: filepath.Base(name), close: root.Close}, nil
}

// Close releases the folder of the file. It may be called more than once.
func (f File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

const (
	partSuffix  = ".part"
	stateSuffix = ".part.state"
	modeSuffix  = ".part.mode" // see newMode
)

// Path returns the path of the file, Dir included.
func (f File) Path() string { return filepath.Join(f.Dir, f.Name) }

// PartPath returns the path that the file has while it is incomplete, Dir included.
func (f File) PartPath() string { return f.Path() + partSuffix }

func (f File) partName() string  { return f.Name + partSuffix }
func (f File) stateName() string { return f.Name + stateSuffix }
func (f File) modeName() string  { return f.Name + modeSuffix }

// shown returns the path of a name in Root, escaped for messages.
func (f File) shown(name string) string { return wire.Escape(filepath.Join(f.Dir, name)) }

// reserved reports whether a name looks like that of an incomplete download, of its state, or of the index. A file of that name
// would be overwritten, and a folder would block it.
func reserved(name string) bool {
	name = strings.ToLower(name) // some file systems ignore case
	return name == transfer.IndexName || strings.HasSuffix(name, partSuffix) || strings.HasSuffix(name, stateSuffix) || strings.HasSuffix(name, modeSuffix)
}

// Write stores what write produces, all of it or nothing: for data that is not the body of a resource, such as a formatted
// listing. mode are the permissions of a new file, as in [Options]. Write returns the number of bytes. An error of write is returned
// as it is; all others have code CodeLocal.
func Write(f File, mode fs.FileMode, write func(io.Writer) (int64, error)) (n int64, err error) {
	p, err := f.openPart(true, mode)
	if err != nil {
		return 0, err
	}
	defer p.close()
	err = f.local(f.removeState())
	if err == nil {
		err = f.local(p.truncate(0))
	}
	if err == nil {
		n, err = write(p.h)
	}
	if err == nil {
		err = f.local(p.commit(f))
	}
	if err != nil {
		f.Root.Remove(f.partName())
	}
	return n, err
}

// local gives a file system error the code CodeLocal. Paths in the errors of os.Root are relative; local adds Dir.
func (f File) local(err error) error {
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
