//go:build unix

package symlink

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// maxLinks bounds the links of one path, as the kernel does.
const maxLinks = 40

// resolve returns name without links.
func resolve(t tree, name string) (string, error) {
	links := 0
	return t.walk(".", name, &links)
}

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
		if to, err = t.walk(done, to, links); err != nil {
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

// Trusted reports whether nobody but the effective user of the process and root can have written a file: it belongs to one of them, and
// not everyone can write to it.
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
