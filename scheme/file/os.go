package file

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"locator/internal/symlink"
)

// The functions in this file use the operating system directly instead of Env, since a file URL can
// name any local file. The policy has checked the URL before.

type (
	handle    = os.File
	linkError = os.LinkError
)

// newMode and newFolder are the modes of new files and folders, before the umask.
const (
	newMode   = 0o666
	newFolder = 0o777
)

func stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// linkTarget returns what a symbolic link names, "" for anything else.
func linkTarget(name string) string {
	target, _ := os.Readlink(name)
	return target
}

// openRead opens any kind of file without blocking on a pipe or acquiring a controlling terminal.
func openRead(name string) (*handle, error) { return os.OpenFile(name, os.O_RDONLY|nonBlocking, 0) }

// openAppend opens a file for appending, and creates it if necessary.
func openAppend(name string) (*handle, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|nonBlocking, newMode)
}

// createNew creates a file that must not exist.
func createNew(name string, mode fs.FileMode) (*handle, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func openRoot(name string) (*os.Root, error)   { return os.OpenRoot(name) }
func rename(from, to string) error             { return os.Rename(from, to) }
func remove(name string) error                 { return os.Remove(name) }
func setTime(name string, t time.Time) error   { return os.Chtimes(name, time.Time{}, t) }
func makeFolder(name string) error             { return os.Mkdir(name, newFolder) }
func makeFolders(name string) error            { return os.MkdirAll(name, newFolder) }
func resolveLinks(name string) (string, error) { return symlink.Resolve(name) }

// planted reports whether another user made a file in a folder that everyone can write to. Its
// permissions are that user's choice.
func planted(folder string, file fs.FileInfo) bool {
	in, err := os.Stat(folder)
	return err == nil && symlink.Shared(in) && !symlink.Owned(file)
}

// splitName splits a path into its folder and its name.
func splitName(name string) (folder, base string) { return filepath.Split(name) }

// join joins a folder and a name. It does not clean the path: "a/../b" is not "b" if a is a link.
func join(folder, base string) string {
	if folder == "" || os.IsPathSeparator(folder[len(folder)-1]) {
		return folder + base
	}
	return folder + string(os.PathSeparator) + base
}

// confined is a directory tree that neither links nor ".." can leave.
type confined struct {
	path string // root of the tree; "" means no restriction
	open func(path string) (*os.Root, error)
}

// unrestricted reports whether name needs no check: there is no tree, or name is its root.
func (c confined) unrestricted(name string) bool {
	return c.path == "" || strings.TrimRight(name, separator) == c.path
}

// in calls do with the tree, and with name relative to it. It returns errLeadsOut if name exists
// but is outside the tree.
func (c confined) in(name string, do func(tree *os.Root, name string) error) error {
	tree, err := c.open(c.path + separator) // "C:" is a different folder than "C:\"
	if err != nil {
		return err
	}
	defer tree.Close()
	err = do(tree, strings.TrimLeft(name[len(c.path):], separator))
	if err == nil {
		return nil
	}
	if _, there := stat(name); there == nil { // it exists outside the tree
		return errLeadsOut
	}
	return err
}

func (c confined) stat(name string) (info fs.FileInfo, err error) {
	if c.unrestricted(name) {
		return stat(name)
	}
	err = c.in(name, func(tree *os.Root, name string) (err error) {
		info, err = tree.Stat(name)
		return err
	})
	return info, err
}

func (c confined) openRead(name string) (f *handle, err error) {
	if c.unrestricted(name) {
		return openRead(name)
	}
	err = c.in(name, func(tree *os.Root, name string) (err error) {
		f, err = tree.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
		return err
	})
	return f, err
}

func (c confined) lstat(name string) (info fs.FileInfo, err error) {
	if c.unrestricted(name) {
		return lstat(name)
	}
	err = c.in(name, func(tree *os.Root, name string) (err error) {
		info, err = tree.Lstat(name)
		return err
	})
	return info, err
}

// remove removes a file, an empty folder or a link. It refuses a tree whose root has been replaced
// by a link.
func (c confined) remove(name string) (err error) {
	if c.unrestricted(name) {
		return remove(name)
	}
	var failed error
	err = c.in(name, func(tree *os.Root, name string) error {
		opened, err := tree.Stat(".")
		if err != nil {
			return err
		}
		if named, err := lstat(c.path); err != nil || !os.SameFile(named, opened) {
			return errLeadsOut
		}
		failed = tree.Remove(name)
		return nil
	})
	if err == nil {
		err = failed
	}
	return err
}

// separator separates the names of a path.
const separator = string(os.PathSeparator)
