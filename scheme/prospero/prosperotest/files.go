package prosperotest

import (
	"slices"
	"time"

	"locator/schemetest/peer"
)

// item is a directory or file.
type item struct {
	name     string
	dir      bool
	size     int64
	modified time.Time
}

// source has the files of a server. A path has the parts of a name, none of which is empty, "." or "..".
type source interface {
	// list returns the items of a directory whose names match. n is how many names and files were looked at; beyond max it ends. ok is false if it is
	// no directory, or cannot be read.
	list(path []string, match func(name string) bool, max int) (items []item, n int, ok bool)
	stat(path []string) (f item, ok bool)
	read(path []string) (content string, ok bool)
	// links returns the LINK and ATTRIBUTE lines that a directory has besides, and the size of the file that has them.
	links(path []string) (lines []string, size int)
}

// memory has the files of a test.
type memory struct {
	files []peer.File
	dirs  [][]string // without files
}

// dirSize is the size of a directory, as most file systems have it.
const dirSize = 4096

func (m memory) list(p []string, match func(string) bool, _ int) (items []item, n int, ok bool) {
	known := make(map[string]bool)
	add := func(path []string, f peer.File) {
		if len(path) < len(p) || !slices.Equal(path[:len(p)], p) {
			return
		}
		if ok = true; len(path) == len(p) {
			return
		}
		next := item{name: path[len(p)], dir: true, size: dirSize, modified: f.Modified}
		if f.Path != nil && len(path) == len(p)+1 {
			next = item{name: next.name, size: int64(len(f.Content)), modified: f.Modified}
		}
		if !known[next.name] && match(next.name) {
			known[next.name] = true
			items = append(items, next)
		}
	}
	for _, f := range m.files {
		if len(f.Path) > len(p) {
			add(f.Path, f)
		}
	}
	for _, d := range m.dirs {
		add(d, peer.File{})
	}
	return items, len(m.files) + len(items), ok || len(p) == 0
}

func (m memory) stat(p []string) (item, bool) {
	if len(p) == 0 {
		return item{name: Root, dir: true, size: dirSize}, true
	}
	items, _, _ := m.list(p[:len(p)-1], func(name string) bool { return name == p[len(p)-1] }, 0)
	if len(items) == 0 {
		return item{}, false
	}
	return items[0], true
}

func (m memory) read(p []string) (string, bool) {
	for _, f := range m.files {
		if slices.Equal(f.Path, p) {
			return f.Content, true
		}
	}
	return "", false
}

func (memory) links([]string) ([]string, int) { return nil, 0 }
