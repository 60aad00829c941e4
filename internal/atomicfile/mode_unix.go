//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepGroup sets the group of a file to that of the one that it replaces, and returns the
// permissions of that one. If it cannot, the other group gets no more than everyone: the
// permissions were not meant for it.
func keepGroup(h *os.File, old fs.FileInfo) fs.FileMode {
	const group, others = 0o070, 0o007
	mode := old.Mode().Perm()
	in, err := h.Stat()
	if err != nil {
		return mode &^ group
	}
	mine, _ := in.Sys().(*syscall.Stat_t)
	its, _ := old.Sys().(*syscall.Stat_t)
	if mine == nil || its == nil || mine.Gid == its.Gid || h.Chown(-1, int(its.Gid)) == nil {
		return mode
	}
	return mode&^group | mode&group&(mode&others<<3)
}
