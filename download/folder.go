package download

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"locator"
	"locator/internal/safename"
	"locator/internal/symlink"
	"locator/scheme"
)

// Folder chooses local names for the files that servers name. The names cannot lead out of the
// folder, are not hidden, and each is given once. A Folder is safe for concurrent use.
type Folder struct {
	// Sync is passed on to each File. It must be set before the first one is made.
	Sync bool
	// Portable restricts the names to those that all common systems accept. Otherwise a name that
	// is legal here stays as it is.
	Portable bool

	root *os.Root
	path string // as messages show it

	mu    sync.Mutex
	taken map[string]bool     // names as fold returns them: true were given, false are kept for what the index says
	last  map[string]int      // the last number appended to a name
	dirs  map[string]string   // local names by the server's names of folders, joined with NUL
	open  map[string]*openDir // folders kept open, by local name
	index *index              // nil if there is none
}

// OpenFolder opens a folder and creates it if it does not exist; "" means the working directory. It
// follows links as [OpenFile] does. The caller must Close the Folder. The error has code CodeLocal.
func OpenFolder(dir string) (*Folder, error) {
	if dir == "" {
		dir = "."
	}
	real, err := symlink.Resolve(dir)
	if in, e := os.Stat(real); err == nil && e == nil && !in.IsDir() {
		return nil, scheme.Fail(scheme.CodeLocal, "it is a file")
	}
	if err == nil {
		err = os.MkdirAll(real, 0o777)
	}
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	root, err := symlink.OpenRoot(real)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	return &Folder{root: root, path: dir, taken: make(map[string]bool), last: make(map[string]int),
		dirs: map[string]string{"": ""}, open: make(map[string]*openDir)}, nil
}

// Close closes the folder. No File of it may be used after that.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.closeIndex()
	if e := f.root.Close(); err == nil {
		err = e
	}
	for _, d := range f.open {
		d.root.Close()
	}
	return err
}

// maxPath bounds the length of a name with its folders. All common systems accept that, and the
// path of a folder before it.
const maxPath = 2000

// File returns the place for the file at u: in the folders that the server names, which are
// created, and under the server's name for it, the last of names. The same folder names lead to the
// same folder; every call returns another file, numbered if the name was given before. With an
// index, a file has the name that it had in earlier runs. A file of that name may exist; see
// [Options.Existing]. The caller must Close the File. The errors have code CodeLocal.
func (f *Folder) File(u locator.URL, names []string) (File, error) { return f.Reserve(u, names).File() }

// Reserved is a name in a [Folder] that no other file gets.
type Reserved struct {
	of       *Folder
	names    []string // the server's
	local    string
	recorded bool  // the index has the file
	err      error // of File
}

// Reserve chooses the name of the file at u as [Folder.File] does, and opens and creates nothing.
// So the order in which files are named need not be that in which they are downloaded.
func (f *Folder) Reserve(u locator.URL, names []string) Reserved {
	f.mu.Lock()
	defer f.mu.Unlock()
	old, ok := f.recorded(u, names)
	r := Reserved{of: f, names: names, local: string(old.File), recorded: ok}
	if ok {
		f.taken[f.fold(r.local)] = true
	} else {
		last := len(names) - 1
		dir, err := f.localDir(names[:last])
		if err != nil {
			return Reserved{of: f, err: err}
		}
		r.local = f.take(dir, names[last])
	}
	return r
}

// File opens the place that has the name. It must be called once at most.
func (r Reserved) File() (File, error) {
	f := r.of
	if r.err != nil {
		return File{}, r.err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	full := filepath.Join(f.path, r.local)
	if len(r.local) > maxPath {
		return File{}, scheme.Fail(scheme.CodeLocal, "file name too long (%d bytes): %.100s...", len(r.local), full)
	}
	dir, base := path.Split(r.local)
	d, err := f.openDir(strings.TrimSuffix(dir, "/"))
	if err != nil {
		return File{}, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	file := File{Root: d.root, Dir: filepath.Dir(full), Name: base, Sync: f.Sync, inFolder: r.local, close: sync.OnceValue(d.release)}
	if r.recorded {
		if old := f.index.files[name(r.local)]; old != nil {
			file.old = *old
		}
	}
	if served := r.names[len(r.names)-1]; f.rules().Make(served) != served {
		file.served = served
	}
	if f.index != nil {
		file.remember = func(old record) error {
			old.File = name(r.local)
			return f.remember(old, r.names)
		}
	}
	return file, nil
}

// localDir returns the local name for a server's folder: always the same one, and another for every
// folder.
func (f *Folder) localDir(names []string) (string, error) {
	key := strings.Join(names, "\x00")
	if local, ok := f.dirs[key]; ok {
		return local, nil
	}
	last := len(names) - 1
	dir, err := f.localDir(names[:last])
	if err == nil {
		err = f.dropLink(dir, names)
	}
	if err != nil {
		return "", err
	}
	local := f.take(dir, names[last])
	f.dirs[key] = local
	return local, nil
}

func (f *Folder) rules() safename.Rules {
	if f.Portable {
		return safename.Portable()
	}
	return safename.Native()
}

// take returns a local name in a folder that was not taken before, for a file or a folder that the
// server names: a safe name, with a number if that is taken. No name is reserved.
func (f *Folder) take(dir, served string) string {
	rules := f.rules()
	base := rules.Make(served)
	if reserved(base) {
		base = rules.Make(base + "_")
	}
	name := path.Join(dir, base)
	first := f.fold(name)
	for f.isTaken(name) { // begins behind the last number: a server may have many files of one name
		n := max(f.last[first], 1) + 1
		f.last[first] = n
		name = path.Join(dir, rules.Number(base, n))
	}
	f.taken[f.fold(name)] = true
	return name
}

// isTaken reports whether a name was given, or is kept for what the index says.
func (f *Folder) isTaken(name string) bool {
	_, ok := f.taken[f.fold(name)]
	return ok
}

// fold returns what names have in common that are one name here: those that differ only in case,
// unless that is a difference.
func (f *Folder) fold(name string) string {
	if f.rules().Case() {
		return name
	}
	return strings.ToLower(name)
}
