package prosperoserver

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"locator/internal/filetree"
	"locator/internal/symlink"
)

// LinksFile is the name of the file with the links of a folder: see [Start].
const LinksFile = ".links"

const (
	maxItems   = 50_000  // of a folder
	maxContent = 4 << 20 // bytes of a file that a response contains
	maxLinks   = 1 << 20 // bytes of a LinksFile
)

// folder has the files of a folder. Names that begin with a dot are not served, nor symbolic links
// that lead to such a name or out of the folder.
type folder struct{ root *os.Root }

// resolve returns the name of a file in the folder, in which no part is a symbolic link, and its
// description.
func (d folder) resolve(p []string) (name string, in fs.FileInfo, ok bool) {
	if slices.ContainsFunc(p, hidden) {
		return "", nil, false
	}
	name, err := symlink.ResolveIn(d.root, strings.Join(p, "/"))
	if err != nil || name != "." && slices.ContainsFunc(strings.Split(name, "/"), hidden) {
		return "", nil, false
	}
	in, err = d.root.Lstat(name)
	return name, in, err == nil
}

// hidden reports whether a name is not served, or cannot be the name of a file.
func hidden(name string) bool {
	return name == "" || name[0] == '.' || strings.ContainsAny(name, "\x00/"+string(os.PathSeparator))
}

func (d folder) List(p []string, match func(string) bool, max int) (items []Item, n int, ok bool) {
	name, _, ok := d.resolve(p)
	if !ok {
		return nil, 0, false
	}
	h, err := filetree.OpenIn(d.root, name, fs.ModeDir)
	if err != nil {
		return nil, 0, false
	}
	defer h.Close()
	all, err := h.ReadDir(min(max, maxItems) + 1)
	if err != nil && err != io.EOF { // of an empty folder
		return nil, 0, false
	}
	if n = len(all); n > min(max, maxItems) {
		return nil, n, true
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range all {
		if hidden(e.Name()) || !match(e.Name()) {
			continue
		}
		n++
		in, err := d.root.Lstat(path.Join(name, e.Name()))
		if ok = err == nil; ok && in.Mode().Type() == fs.ModeSymlink {
			_, in, ok = d.resolve(append(slices.Clip(p), e.Name()))
		}
		if f, served := itemOf(e.Name(), in, ok); served {
			items = append(items, f)
		}
	}
	return items, n, true
}

func (d folder) Stat(p []string) (Item, bool) {
	name := Root
	if len(p) > 0 {
		name = p[len(p)-1]
	}
	_, in, ok := d.resolve(p)
	return itemOf(name, in, ok)
}

// itemOf returns the item for a file that was found. It reports false for one that is not served.
func itemOf(name string, in fs.FileInfo, found bool) (Item, bool) {
	if !found || !in.IsDir() && !in.Mode().IsRegular() {
		return Item{}, false
	}
	return Item{Name: name, Dir: in.IsDir(), Size: in.Size(), Modified: in.ModTime()}, true
}

func (d folder) Read(p []string) (string, bool) {
	name, in, ok := d.resolve(p)
	if !ok || !in.Mode().IsRegular() || in.Size() > maxContent {
		return "", false
	}
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

func (d folder) Links(p []string) (lines []string, size int) {
	name, _, ok := d.resolve(p)
	if !ok {
		return nil, 0
	}
	content, _ := d.content(path.Join(name, LinksFile), maxLinks)
	for line := range strings.Lines(content) {
		lines = append(lines, externalLink(strings.TrimRight(line, "\r\n"))...)
	}
	return lines, len(content)
}
