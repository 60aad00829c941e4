package file

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// This is the one place where a scheme touches the system past Env: a file URL names files of this machine, wherever
// they are. Whether a URL may be read at all is the question that policy has answered before.

type (
	handle    = os.File
	linkError = os.LinkError
)

// newMode is the mode of new files and folders before the system takes the umask off.
const (
	newMode   = 0o666
	newFolder = 0o777
)

func stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// openRead opens what may be anything: it neither waits for the writer of a pipe nor takes a terminal.
func openRead(name string) (*handle, error) { return os.OpenFile(name, os.O_RDONLY|careful, 0) }

// openAppend opens a file to write at its end, and makes it if need be.
func openAppend(name string) (*handle, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|careful, newMode)
}

// createNew makes a file that must not be there.
func createNew(name string, mode fs.FileMode) (*handle, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func rename(from, to string) error             { return os.Rename(from, to) }
func remove(name string) error                 { return os.Remove(name) }
func makeFolder(name string) error             { return os.Mkdir(name, newFolder) }
func makeFolders(name string) error            { return os.MkdirAll(name, newFolder) }
func resolveLinks(name string) (string, error) { return filepath.EvalSymlinks(name) }

// splitName splits a path into its folder and its name.
func splitName(name string) (folder, base string) { return filepath.Split(name) }

// join makes a path of a folder's name and a name in it. It cleans nothing: "a/../b" is not "b" where a is a link.
func join(folder, base string) string {
	if folder == "" || os.IsPathSeparator(folder[len(folder)-1]) {
		return folder + base
	}
	return folder + string(os.PathSeparator) + base
}

// confined is a tree that nothing leads out of: neither a link nor "..".
type confined struct {
	path string // of the tree; "" is no bound
	open func(path string) (*os.Root, error)
}

// all reports whether a name need not be confined: there is no tree, or it is the tree itself.
func (c confined) all(name string) bool {
	return c.path == "" || strings.TrimRight(name, separator) == c.path
}

// in calls do with the tree, and with the name as it is in it.
func (c confined) in(name string, do func(tree *os.Root, name string) error) error {
	tree, err := c.open(c.path + separator) // "C:" alone is another folder than "C:\"
	if err != nil {
		return err
	}
	defer tree.Close()
	err = do(tree, strings.TrimLeft(name[len(c.path):], separator))
	if err == nil {
		return nil
	}
	if _, there := stat(name); there == nil { // not for the tree, and for the system
		return errLeadsOut
	}
	return err
}

func (c confined) stat(name string) (info fs.FileInfo, err error) {
	if c.all(name) {
		return stat(name)
	}
	err = c.in(name, func(tree *os.Root, name string) (err error) {
		info, err = tree.Stat(name)
		return err
	})
	return info, err
}

func (c confined) openRead(name string) (f *handle, err error) {
	if c.all(name) {
		return openRead(name)
	}
	err = c.in(name, func(tree *os.Root, name string) (err error) {
		f, err = tree.OpenFile(name, os.O_RDONLY|careful, 0)
		return err
	})
	return f, err
}

// separator stands between the names of a path.
const separator = string(os.PathSeparator)
