package download

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/scheme"
)

// serve replaces the tree by these files, and the folders that end in "/". The time of all is
// clock.
func (s *site) serve(paths ...string) {
	s.fixedTree = fixedTree{"/": {entries: []scheme.Entry{}}}
	for _, p := range slices.Sorted(slices.Values(paths)) {
		dir := "/"
		for part := range strings.SplitSeq(strings.TrimSuffix(path.Dir("/"+p+"x"), "/"), "/") {
			if part == "" {
				continue
			}
			s.list(dir, part+"/")
			if dir += part + "/"; s.fixedTree[dir].entries == nil {
				s.fixedTree[dir] = node{entries: []scheme.Entry{}}
			}
		}
		if !strings.HasSuffix(p, "/") {
			s.list(dir, path.Base(p))
			s.fixedTree["/"+p] = node{body: p}
		}
	}
}

// list adds a name to a folder unless it is there.
func (s *site) list(dir, name string) {
	n := s.fixedTree[dir]
	e := entry(s.t, dir+name)
	if slices.ContainsFunc(n.entries, func(other scheme.Entry) bool { return other.URL == e.URL }) {
		return
	}
	if e.Kind == scheme.KindObject {
		e.Attr = scheme.Attr{Size: scheme.Known(int64(len(dir+name) - 1)), Modified: clock}
	}
	n.entries = append(n.entries, e)
	s.fixedTree[dir] = n
}

// bodies are the contents of files that serve made.
func bodies(paths ...string) map[string]string {
	all := make(map[string]string)
	for _, p := range paths {
		all[p] = p
	}
	return all
}

// A file that became a folder, or the reverse, gets its name when Delete has removed what was
// there. What was changed here, or is not the mirror's, stays and is an error, and so is everything
// without Delete. No name gets a number.
//
// Covers: A7, P6
func TestMirrorBecomes(t *testing.T) {
	t.Parallel()
	before := []string{"x", "fold/inner", "fold/deep/inner", "stays", "none", "empty/"}
	after := []string{"x/sub", "x/more/sub", "fold", "stays", "none/", "empty"}
	now := bodies("x/sub", "x/more/sub", "fold", "stays", "empty")
	for name, test := range map[string]struct {
		existing Existing
		keep     bool // Delete is not set
		change   map[string]string
		remove   []string
		inTheWay []string // the URLs of the errors
		want     map[string]string
	}{
		"delete":           {existing: Update, want: now},
		"delete and sync":  {existing: Sync, want: now},
		"delete and force": {existing: Replace, want: now},
		"without delete": {existing: Sync, keep: true, inTheWay: []string{"", "empty", "fold", "x/sub"},
			want: bodies("x", "fold/inner", "fold/deep/inner", "stays", "none")},
		"removed here": {existing: Update, keep: true, remove: []string{"x", "fold", "none", "empty"}, want: now},
		"a file that was changed": {existing: Replace, change: map[string]string{"x": "mine", "fold/deep/inner": "mine"}, inTheWay: []string{"fold", "x/sub"},
			want: map[string]string{"x": "mine", "fold/deep/inner": "mine", "stays": "stays", "empty": "empty"}},
		"a file of the user": {existing: Sync, change: map[string]string{"fold/own": "mine", "empty/own": "mine"}, inTheWay: []string{"empty", "fold"},
			want: map[string]string{"x/sub": "x/sub", "x/more/sub": "x/more/sub", "fold/own": "mine", "empty/own": "mine", "stays": "stays"}},
	} {
		s, dir := newSite(t), t.TempDir()
		s.serve(before...)
		o := MirrorOptions{Options: Options{Existing: Update}, EmptyFolders: true}
		if _, failed := s.mirror(dir, o); failed != nil {
			t.Fatal(failed)
		}
		changeHere(t, dir, test.change, test.remove)
		s.serve(after...)
		o.Existing, o.Delete, s.mayFail = test.existing, !test.keep, true
		for run := range 2 {
			gets, failed := s.mirror(dir, o)
			if slices.Sort(failed); !slices.Equal(failed, test.inTheWay) {
				t.Errorf("%s: failed at %q, want %q", name, failed, test.inTheWay)
			}
			if got := contents(t, dir); !maps.Equal(got, test.want) {
				t.Errorf("%s: files %q, want %q", name, got, test.want)
			}
			if run == 1 && test.existing != Replace && len(gets) > 0 {
				t.Errorf("%s: the second run requested %q", name, gets)
			}
		}
		if in, err := os.Stat(filepath.Join(dir, "none")); test.inTheWay == nil && (err != nil || !in.IsDir()) {
			t.Errorf("%s: the empty folder: %v", name, err)
		}
	}
}

// A server that has a file and a folder of one name, such as a menu, has nothing in the way: the
// one that comes later gets a number.
func TestMirrorBoth(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"about", "about/in"} {
		s, dir := newSite(t), t.TempDir()
		s.serve(first, "other")
		o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
		if _, failed := s.mirror(dir, o); failed != nil {
			t.Fatal(failed)
		}
		s.serve("about/in", "about", "other")
		want := map[string]string{"about": "about", "about~2/in": "about/in", "other": "other"}
		if first != "about" {
			want = map[string]string{"about~2": "about", "about/in": "about/in", "other": "other"}
		}
		for range 2 {
			s.mirror(dir, o)
			if got := contents(t, dir); !maps.Equal(got, want) {
				t.Errorf("%s first: files %q, want %q", first, got, want)
			}
		}
	}
}

// The same holds for a folder that the walk does not enter.
func TestMirrorBothFlat(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.serve("about/in")
	o := MirrorOptions{Options: Options{Existing: Update}}
	if _, failed := s.mirror(dir, o); failed != nil {
		t.Fatal(failed)
	}
	s.serve("about/in", "about")
	o.Walk.Depth = 1
	want := map[string]string{"about~2": "about", "about/in": "about/in"}
	for range 2 {
		if _, failed := s.mirror(dir, o); failed != nil || !maps.Equal(contents(t, dir), want) {
			t.Errorf("failed at %q, files %q, want %q", failed, contents(t, dir), want)
		}
	}
}

// The page of a file that became a folder waits, too.
func TestMirrorPageBecomes(t *testing.T) {
	t.Parallel()
	x := newIndexPages(t)
	x.pages["/"] = []string{"x"}
	x.mirror(t, "/", "index.html", "x")
	x.pages["/"], x.pages["/x/"] = []string{"x/"}, []string{"in"}
	x.mirror(t, "/", "index.html", "x/in", "x/index.html")
}

// changeHere writes files of a mirror and removes others, with what is below them.
func changeHere(t *testing.T, dir string, write map[string]string, remove []string) {
	t.Helper()
	for file, text := range write {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range remove {
		if err := os.RemoveAll(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
}
