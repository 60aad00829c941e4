package filetree

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is the error of a pipe, a device or a folder in the place of a regular file.
var ErrNotRegular = errors.New("not a regular file")

var errNotFolder = errors.New("not a folder")

// Open opens a regular file. It never waits, as opening a named pipe would that has replaced the
// file since a walk has visited it. Links are followed only if follow is set. The information is
// that of the open file.
func Open(name string, follow bool) (*os.File, fs.FileInfo, error) {
	h, err := os.OpenFile(name, openFlags(follow), 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := checkKind(h, 0)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, info, nil
}

// OpenIn opens what a name in a folder stands for: a regular file if kind is 0, a folder if it is
// [fs.ModeDir]. It never waits. Links are followed unless they lead out of root.
func OpenIn(root *os.Root, name string, kind fs.FileMode) (*os.File, error) {
	h, err := root.OpenFile(name, openFlags(true), 0)
	if err != nil {
		return nil, err
	}
	if _, err := checkKind(h, kind); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// checkKind returns information about an open file. It fails if the file is not of the kind.
func checkKind(h *os.File, kind fs.FileMode) (fs.FileInfo, error) {
	info, err := h.Stat()
	if err == nil && info.Mode().Type() != kind {
		err = &fs.PathError{Op: "open", Path: h.Name(), Err: ErrNotRegular}
		if kind == fs.ModeDir {
			err = &fs.PathError{Op: "open", Path: h.Name(), Err: errNotFolder}
		}
	}
	return info, err
}
