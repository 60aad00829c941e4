//go:build unix

package symlink

import (
	"io/fs"
	"os"
	"syscall"
)

func resolve(name string) (string, error) {
	return tree{os.Lstat, os.Readlink}.walk(".", name, new(int))
}

// mayFollow reports whether a link in the folder dir may be followed.
func mayFollow(dir, link fs.FileInfo) bool {
	return !Shared(dir) || Owned(link) || sameOwner(dir, link)
}

// Shared reports whether a folder is sticky and everyone can write to it, as /tmp.
func Shared(dir fs.FileInfo) bool {
	const others = 0o002
	return dir.Mode()&fs.ModeSticky != 0 && dir.Mode().Perm()&others != 0
}

// Owned reports whether a file belongs to the effective user of the process.
func Owned(in fs.FileInfo) bool {
	s, ok := in.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}

// Trusted reports whether nobody but the effective user of the process and root can have written a
// file: it belongs to one of them, and not everyone can write to it.
func Trusted(in fs.FileInfo) bool {
	const root, others = 0, 0o002
	s, ok := in.Sys().(*syscall.Stat_t)
	return in.Mode().Perm()&others == 0 && (!ok || s.Uid == root || Owned(in))
}

func sameOwner(a, b fs.FileInfo) bool {
	s, _ := a.Sys().(*syscall.Stat_t)
	t, _ := b.Sys().(*syscall.Stat_t)
	return s != nil && t != nil && s.Uid == t.Uid
}
