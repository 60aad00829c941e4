package file

import (
	"io/fs"
	"os"
	"path/filepath"
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
