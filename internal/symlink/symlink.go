package symlink

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"locator/wire"
)

// ErrForeign is the cause of the error for a link that is not followed.
var ErrForeign = errors.New("is a symbolic link of another user, in a folder that everyone can write to")

// errReplaced says that a folder was replaced after its path was checked.
var errReplaced = errors.New("was replaced while it was being opened")

// Resolve returns a path to the same file without symbolic links. It leaves links alone that lead
// to nothing. The error is an *fs.PathError whose cause is [ErrForeign] or an error of the system.
// A path that does not exist is not an error.
func Resolve(name string) (string, error) {
	return resolve(name)
}

// OpenRoot opens a folder, whose path it resolves with [Resolve].
func OpenRoot(dir string) (*os.Root, error) {
	dir, err := Resolve(dir)
	if err != nil {
		return nil, err
	}
	checked, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && checked.IsDir() && !os.SameFile(checked, opened) {
		err = &fs.PathError{Op: "open", Path: dir, Err: errReplaced}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// Open opens a file for reading, whose path it resolves with [Resolve].
func Open(name string) (*os.File, error) {
	name, err := Resolve(name)
	if err != nil {
		return nil, err
	}
	checked, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	h, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	opened, err := h.Stat()
	if err == nil && checked.Mode()&fs.ModeSymlink == 0 && !os.SameFile(checked, opened) {
		err = &fs.PathError{Op: "open", Path: name, Err: errReplaced}
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// OpenPrivate opens a folder of the user, which must exist and which no other user can write to.
// Unlike OpenRoot, it follows no link of another user at the end of the path, whatever the folder
// that the link is in.
func OpenPrivate(dir string) (*os.Root, error) {
	in, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if in.Mode()&fs.ModeSymlink != 0 && !Owned(in) {
		return nil, fmt.Errorf("%s is a symbolic link of another user", wire.Escape(dir))
	}
	root, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	const others = 0o022
	in, err = root.Stat(".")
	switch {
	case err != nil:
	case !Owned(in):
		err = fmt.Errorf("%s belongs to another user", wire.Escape(dir))
	case runtime.GOOS != "windows" && in.Mode().Perm()&others != 0:
		err = fmt.Errorf("other users can write to %s; choose another folder, or take that right away (chmod 700)", wire.Escape(dir))
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// Check reports a link on the way to a name in root that [Resolve] would not follow.
func Check(root *os.Root, name string) error {
	_, err := ResolveIn(root, name)
	return err
}

// ResolveIn returns a path to the same file in root without symbolic links, as [Resolve] does.
func ResolveIn(root *os.Root, name string) (string, error) {
	return tree{root.Lstat, root.Readlink}.walk(".", name, new(int))
}

// tree is where paths are resolved: the whole file system, or an os.Root.
type tree struct {
	lstat    func(name string) (fs.FileInfo, error)
	readlink func(name string) (string, error)
}

// maxLinks bounds the links of one path, as the kernel does.
const maxLinks = 40

// walk resolves rest, which is relative to the folder done. done contains no link.
func (t tree) walk(done, rest string, links *int) (string, error) {
	if strings.HasPrefix(rest, "/") {
		done = "/"
	}
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		if part == "" || part == "." {
			continue
		}
		next := path.Join(done, part)
		in, err := t.lstat(next)
		if err != nil { // the caller's use of the path reports it
			return join(next, rest), nil
		}
		if in.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if *links++; *links > maxLinks {
			return "", &fs.PathError{Op: "open", Path: next, Err: syscall.ELOOP}
		}
		dir, err := t.lstat(done)
		if err != nil {
			return "", err
		}
		if !mayFollow(dir, in) {
			return "", &fs.PathError{Op: "open", Path: next, Err: ErrForeign}
		}
		to, err := t.readlink(next)
		if err != nil {
			return "", err
		}
		if to, err = t.walk(done, filepath.ToSlash(to), links); err != nil {
			return "", err
		}
		if _, err := t.lstat(to); err != nil { // it leads to nothing, or to what has no path, such as /proc/self/fd/1
			return join(next, rest), nil
		}
		done = to
	}
	return done, nil
}

// join joins a path and what follows it, which may end in a slash.
func join(name, rest string) string {
	if rest == "" {
		return name
	}
	return name + "/" + rest
}
