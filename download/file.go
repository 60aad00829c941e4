package download

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/internal/atomicfile"
)

// File is where a download is stored: a name in an open folder. [OpenFile] and [Folder.File] make
// one, and the caller must Close it. A File that is put together from an os.Root needs no Close.
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
	step     atomicfile.Steps
}

// OpenFile returns the File for a path. The folder must exist, the file need not. If the path is a
// symbolic link, the file that it points to is replaced and the link stays. A link of another user
// in a folder that everyone can write to, such as /tmp, is not followed, wherever it is in the
// path. The error has code CodeUsage if something other than a regular file has that name, and
// CodeLocal for such a link, or if the folder cannot be opened.
func OpenFile(name string) (File, error) {
	p, err := atomicfile.Open(name)
	if err != nil {
		return File{}, err
	}
	return File{Root: p.Root, Dir: p.Dir, Name: p.Name, close: p.Close}, nil
}

// Close releases the folder of the file. It may be called more than once.
func (f File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

const stateSuffix = ".part.state"

// Path returns the path of the file, Dir included.
func (f File) Path() string { return filepath.Join(f.Dir, f.Name) }

// PartPath returns the path that the file has while it is incomplete, Dir included.
func (f File) PartPath() string { return f.Path() + atomicfile.PartSuffix }

func (f File) partName() string  { return f.place().PartName() }
func (f File) stateName() string { return f.Name + stateSuffix }

// place returns the place of the file.
func (f File) place() atomicfile.Place {
	return atomicfile.Place{Root: f.Root, Dir: f.Dir, Name: f.Name, Sync: f.Sync, Step: f.step}
}

// shown returns the path of a name in Root, escaped for messages.
func (f File) shown(name string) string { return f.place().Shown(name) }

// local returns a file system error with the code CodeLocal.
func (f File) local(err error) error { return f.place().Local(err) }

// reserved reports whether a name looks like that of an incomplete download, of its state, or of
// the index. A file of that name would be overwritten, and a folder would block it.
func reserved(name string) bool {
	name = strings.ToLower(name) // some file systems ignore case
	return name == IndexName || strings.HasSuffix(name, atomicfile.PartSuffix) || strings.HasSuffix(name, stateSuffix) || strings.HasSuffix(name, atomicfile.ModeSuffix)
}

// Write stores what write produces, all of it or nothing: for data that is not the body of a
// resource, such as a formatted listing. mode are the permissions of a new file, as in [Options].
// Write returns the number of bytes. An error of write is returned as it is; all others have code
// CodeLocal.
func Write(f File, mode fs.FileMode, write func(io.Writer) (int64, error)) (n int64, err error) {
	p, err := f.place().OpenPart(true, mode)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	err = f.local(f.removeState())
	if err == nil {
		err = f.local(p.Truncate(0))
	}
	if err == nil {
		n, err = write(p.File)
	}
	if err == nil {
		err = f.local(p.Commit(f.place()))
	}
	if err != nil {
		f.Root.Remove(f.partName())
	}
	return n, err
}
