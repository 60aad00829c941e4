package prosperotest

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"locator/internal/filetree"
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
	// list returns the items of a directory. ok is false if it is none. More than maxItems are too many, and need not be set.
	list(path []string) (items []item, ok bool)
	stat(path []string) (f item, ok bool)
	read(path []string) (content string, ok bool)
	// links returns the LINK and ATTRIBUTE lines that a directory has besides.
	links(path []string) []string
}

// memory has the files of a test.
type memory []peer.File

func (m memory) list(p []string) (items []item, ok bool) {
	for _, f := range m {
		if len(f.Path) <= len(p) || !slices.Equal(f.Path[:len(p)], p) {
			continue
		}
		ok = true
		next := item{name: f.Path[len(p)], dir: true}
		if len(f.Path) == len(p)+1 {
			next = item{name: next.name, size: int64(len(f.Content)), modified: f.Modified}
		}
		if !slices.ContainsFunc(items, func(x item) bool { return x.name == next.name }) {
			items = append(items, next)
		}
	}
	return items, ok || len(p) == 0
}

func (m memory) stat(p []string) (item, bool) {
	if len(p) == 0 {
		return item{name: Root, dir: true}, true
	}
	items, _ := m.list(p[:len(p)-1])
	i := slices.IndexFunc(items, func(x item) bool { return x.name == p[len(p)-1] })
	if i < 0 {
		return item{}, false
	}
	return items[i], true
}

func (m memory) read(p []string) (string, bool) {
	for _, f := range m {
		if slices.Equal(f.Path, p) {
			return f.Content, true
		}
	}
	return "", false
}

func (memory) links([]string) []string { return nil }

// LinksFile is the name of the file with the links of a folder: see [Dir].
const LinksFile = ".links"

const (
	maxItems   = 50_000  // of a folder
	maxContent = 4 << 20 // bytes of a file that a response contains
	maxLinks   = 1 << 20 // bytes of a LinksFile
)

// folder has the files of a folder. Names that begin with a dot are not served.
type folder struct{ root *os.Root }

// name returns the name of a file in the folder. ok is false for one that is not served.
func (d folder) name(p []string) (string, bool) {
	for _, part := range p {
		if strings.HasPrefix(part, ".") || strings.ContainsAny(part, "\x00"+string(os.PathSeparator)) {
			return "", false
		}
	}
	return path.Join(append([]string{"."}, p...)...), true
}

func (d folder) list(p []string) (items []item, ok bool) {
	name, ok := d.name(p)
	if !ok {
		return nil, false
	}
	h, err := filetree.OpenIn(d.root, name, fs.ModeDir)
	if err != nil {
		return nil, false
	}
	defer h.Close()
	all, err := h.ReadDir(maxItems + 1)
	if err != nil && err != io.EOF { // of an empty folder
		return nil, false
	}
	if len(all) > maxItems {
		return make([]item, len(all)), true
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range all {
		if f, ok := d.stat(append(slices.Clip(p), e.Name())); ok {
			items = append(items, f)
		}
	}
	return items, true
}

func (d folder) stat(p []string) (item, bool) {
	name, ok := d.name(p)
	if !ok {
		return item{}, false
	}
	in, err := d.root.Stat(name) // a link may not lead out of the folder
	if err != nil || !in.IsDir() && !in.Mode().IsRegular() {
		return item{}, false
	}
	f := item{name: Root, dir: in.IsDir(), size: in.Size(), modified: in.ModTime()}
	if len(p) > 0 {
		f.name = p[len(p)-1]
	}
	return f, true
}

func (d folder) read(p []string) (string, bool) {
	if f, ok := d.stat(p); !ok || f.dir || f.size > maxContent {
		return "", false
	}
	name, _ := d.name(p)
	return d.content(name, maxContent)
}

// content reads a file of at most max bytes.
func (d folder) content(name string, max int64) (string, bool) {
	h, err := filetree.OpenIn(d.root, name, 0)
	if err != nil {
		return "", false
	}
	defer h.Close()
	b, err := io.ReadAll(io.LimitReader(h, max+1))
	return string(b), err == nil && int64(len(b)) <= max
}

func (d folder) links(p []string) (lines []string) {
	name, ok := d.name(p)
	if !ok {
		return nil
	}
	content, ok := d.content(path.Join(name, LinksFile), maxLinks)
	if !ok {
		return nil
	}
	for line := range strings.Lines(content) {
		lines = append(lines, externalLink(strings.TrimRight(line, "\r\n"))...)
	}
	return lines
}
