package httptest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"locator/schemetest/peer"
)

// tree holds the files. A folder exists while it contains a file.
type tree struct {
	mu    sync.Mutex
	files map[string]peer.File // by their segments, joined with NUL
}

func key(path []string) string { return strings.Join(path, "\x00") }

func (t *tree) fill(files []peer.File) {
	t.files = make(map[string]peer.File, len(files))
	for _, f := range files {
		t.files[key(f.Path)] = f
	}
}

func (t *tree) file(path []string) (peer.File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.files[key(path)]
	return f, ok
}

// put stores a file and reports whether it replaced one.
func (t *tree) put(f peer.File) (replaced bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, replaced = t.files[key(f.Path)]
	t.files[key(f.Path)] = f
	return replaced
}

// remove removes a file and reports whether there was one.
func (t *tree) remove(path []string) (removed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, removed = t.files[key(path)]
	delete(t.files, key(path))
	return removed
}

// child is an entry of a folder.
type child struct {
	name   string
	folder bool
	file   peer.File
}

// list returns the entries of a folder, folders first, by name. ok is false if the folder does not
// exist.
func (t *tree) list(folder []string) (list []child, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := make(map[string]child)
	for _, f := range t.files {
		if len(f.Path) <= len(folder) || !slices.Equal(f.Path[:len(folder)], folder) {
			continue
		}
		name := f.Path[len(folder)]
		found[name] = child{name: name, folder: len(f.Path) > len(folder)+1, file: f}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b child) int {
		if a.folder != b.folder {
			if a.folder {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	}), len(found) > 0 || len(folder) == 0
}
