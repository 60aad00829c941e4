package prosperotest

import (
	"slices"
	"strings"

	"locator/scheme/prospero/prosperoserver"
	"locator/schemetest/peer"
)

// memory has the files of a test, and what it adds to names.
type memory struct {
	files    []peer.File
	host     string              // of links
	added    map[string][]string // lines of directories, by path
	stored   map[string][]string // attributes, by name
	objects  map[string]string
	forwards map[string]string
}

var _ prosperoserver.Names = (*memory)(nil)

func newMemory(files []peer.File) *memory {
	return &memory{
		files: files, added: make(map[string][]string), stored: make(map[string][]string), objects: make(map[string]string),
		forwards: make(map[string]string),
	}
}

// dirSize is the size of a directory, as most file systems have it.
const dirSize = 4096

func (m *memory) List(p []string, match func(string) bool, _ int) (items []prosperoserver.Item, n int, ok bool) {
	known := make(map[string]bool)
	add := func(path []string, f peer.File) {
		if len(path) < len(p) || !slices.Equal(path[:len(p)], p) {
			return
		}
		if ok = true; len(path) == len(p) {
			return
		}
		next := prosperoserver.Item{Name: path[len(p)], Dir: true, Size: dirSize, Modified: f.Modified}
		if f.Path != nil && len(path) == len(p)+1 {
			next = prosperoserver.Item{Name: next.Name, Size: int64(len(f.Content)), Modified: f.Modified}
		}
		if !known[next.Name] && match(next.Name) {
			known[next.Name] = true
			items = append(items, next)
		}
	}
	for _, f := range m.files {
		if len(f.Path) > len(p) {
			add(f.Path, f)
		}
	}
	for at := range m.added {
		add(strings.FieldsFunc(at, func(c rune) bool { return c == '/' }), peer.File{})
	}
	return items, len(m.files) + len(items), ok || len(p) == 0
}

func (m *memory) Stat(p []string) (prosperoserver.Item, bool) {
	if len(p) == 0 {
		return prosperoserver.Item{Name: prosperoserver.Root, Dir: true, Size: dirSize}, true
	}
	items, _, _ := m.List(p[:len(p)-1], func(name string) bool { return name == p[len(p)-1] }, 0)
	if len(items) == 0 {
		return prosperoserver.Item{}, false
	}
	return items[0], true
}

func (m *memory) Read(p []string) (string, bool) {
	for _, f := range m.files {
		if slices.Equal(f.Path, p) {
			return f.Content, true
		}
	}
	return "", false
}

func (m *memory) Links(p []string) (lines []string, size int) {
	for _, l := range m.added[strings.Join(p, "/")] {
		lines = append(lines, m.here(l))
	}
	return lines, 0
}

func (m *memory) Forwarded(name string) string { return m.here(m.forwards[name]) }

func (m *memory) Object(name string) (string, bool) {
	reply, ok := m.objects[name]
	return m.here(reply), ok
}

func (m *memory) Stored(name string) []string { return m.stored[name] }

// AccessMethods returns those of the server of 1994.
func (m *memory) AccessMethods(name string) [][]string {
	return [][]string{
		{"LOCAL", "", "", "", ""},
		{"AFTP", "INTERNET-D", host, "ASCII", strings.TrimPrefix(name, prosperoserver.Root), "BINARY"},
	}
}

// here replaces HOST by the name and port of the server.
func (m *memory) here(line string) string { return strings.ReplaceAll(line, "HOST", m.host) }
