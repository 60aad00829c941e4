package filetree

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNotRegular is the error of a pipe, a device or a folder in the place of a regular file.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file that a walk has visited. What is no regular file any more is closed again, and nothing of it is read. Links are
// followed only if follow is set. The information is that of the open file.
func Open(name string, follow bool) (*os.File, fs.FileInfo, error) {
	h, err := os.OpenFile(name, openFlags(follow), 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := h.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, info, nil
}
