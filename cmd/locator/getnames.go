package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"locator/download"
	"locator/internal/safename"
	"locator/scheme"
)

// folder is where a run puts files, under safe names of which each is given once.
type folder struct {
	root  *os.Root
	shown string // how messages name it

	mu    sync.Mutex
	taken map[string]bool   // names of files and folders, in lower case: some file systems fold it
	last  map[string]int    // the number that a name was given last
	dirs  map[string]string // the names that a peer has for a folder, and ours
	below map[string]*below // open folders in it, by name
}

// openFolder opens the folder of --dir, which is made where it is missing.
func openFolder(dir string) (*folder, error) {
	if dir == "" {
		dir = "."
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--dir: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "--dir: %w", err)
	}
	return &folder{root: root, shown: dir, taken: make(map[string]bool), last: make(map[string]int),
		dirs: map[string]string{"": ""}, below: make(map[string]*below)}, nil
}

// close closes the folder, once no file goes into it any more.
func (f *folder) close() {
	f.root.Close()
	for _, b := range f.below {
		b.root.Close()
	}
}

// maxPath bounds a name with its folders: all common systems take it, and a folder before it.
const maxPath = 2000

// file gives the place for a file, whose names a peer gave: folders, which are made, and a name. A file of an earlier run
// is given only if it may be replaced.
func (f *folder) file(names []string, replace bool) (place, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := len(names) - 1
	dir := f.dir(names[:last])
	base := safename.Make(names[last])
	if download.Reserved(base) {
		base = safename.Make(base + "_")
	}
	name := f.free(dir, base)
	shown := filepath.Join(f.shown, name)
	if len(name) > maxPath {
		return place{}, scheme.Fail(scheme.CodeLocal, "a name of %d octets is too long for a file: %.100s...", len(name), shown)
	}
	in, err := f.open(dir)
	if err != nil {
		return place{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	to := place{file: &download.File{Root: in.root, Dir: dir, Name: path.Base(name)}, shown: shown, in: in}
	if _, err := in.root.Lstat(to.file.Name); err == nil && !replace {
		f.leave(in)
		return place{}, scheme.Fail(scheme.CodeLocal, "the file %s is there already: --force replaces it, --if-newer where the resource is newer", shown)
	}
	return to, nil
}

// dir gives our name for a peer's folder: the same at each call, and another for each folder.
func (f *folder) dir(names []string) string {
	key := strings.Join(names, "\x00")
	ours, ok := f.dirs[key]
	if !ok {
		last := len(names) - 1
		ours = f.free(f.dir(names[:last]), safename.Make(names[last]))
		f.dirs[key] = ours
	}
	return ours
}

// free takes a name in a folder that nothing else of this run has: that, or one with a number.
func (f *folder) free(dir, base string) string {
	first := strings.ToLower(path.Join(dir, base))
	name := path.Join(dir, base)
	for f.taken[strings.ToLower(name)] { // from where the last search ended: a peer may have many of one name
		n := max(f.last[first], 1) + 1
		f.last[first] = n
		name = path.Join(dir, safename.Number(base, n))
	}
	f.taken[strings.ToLower(name)] = true
	return name
}
