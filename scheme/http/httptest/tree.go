package httptest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"locator/schemetest/peer"
)

// tree holds the files. Folders are there as long as a file is in them.
type tree struct {
	mu    sync.Mutex
	files map[string]peer.File // by their segments with NULs between
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

// put stores a file and reports whether there was one before.
func (t *tree) put(f peer.File) (replaced bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, replaced = t.files[key(f.Path)]
	t.files[key(f.Path)] = f
	return replaced
}

// child is a name in a folder.
type child struct {
	name   string
	folder bool
	file   peer.File
}

// list gives what is in a folder, folders first, by name; ok is false where there is no such folder.
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
