//go:build unix

package download

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// addLink adds a symbolic link to the listing of a folder of the site. What it leads to is the
// business of the test.
func (s *site) addLink(name, target string) {
	p := "/" + name
	dir := p[:strings.LastIndexByte(p, '/')+1]
	e := entry(s.t, p+"?")
	e.Target = target
	n := s.fixedTree[dir]
	n.entries = append(slices.Clone(n.entries), e)
	s.fixedTree[dir] = n
}

// links returns the symbolic links below dir, and what they say.
func links(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink == 0 {
			return err
		}
		text, err := os.Readlink(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = filepath.ToSlash(text)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

// linkSite has a folder v2 with a file, a folder sub, and links.
func linkSite(t *testing.T) *site {
	s := newSite(t)
	s.put("a", "A", clock, 0)
	folder := func(p string, names ...string) {
		var entries []scheme.Entry
		for _, name := range names {
			entries = append(entries, entry(t, p+name))
			s.fixedTree[p+name] = node{body: name}
		}
		s.fixedTree[p] = node{entries: append([]scheme.Entry{}, entries...)}
		root := s.fixedTree["/"]
		root.entries = append(root.entries, entry(t, p))
		s.fixedTree["/"] = root
	}
	folder("/v2/", "x")
	folder("/sub/", "y")
	return s
}

// A link that leads to something in the mirror becomes a link. Any other is downloaded as the file
// that it leads to; if that is a folder, Unfollowed is called.
//
// Covers: P6, T158
func TestMirrorLinks(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	for name, target := range map[string]string{
		"latest": "v2", "file": "a", "chain": "latest", "dot": "./v2/", "deep": "latest/x", "self": ".",
		"sub/up": "../a", "sub/folder": "../v2", "sub/here": "y", "sub/through": "../latest/../a",
		// what is not in the mirror
		"out": "../elsewhere", "abs": "/etc/passwd", "dangling": "no-such", "loop": "loop", "ring": "ring2", "ring2": "ring", "sub/out": "../../../etc", "other": "/pub/x",
	} {
		s.addLink(name, target)
	}
	for _, name := range []string{"out", "other"} {
		s.fixedTree["/"+name] = node{entries: []scheme.Entry{entry(t, "/"+name+"/z")}}
	}
	for _, name := range []string{"abs", "sub/out"} {
		s.fixedTree["/"+name] = node{body: "copy of " + name}
	}
	s.mayFail = true
	var mu sync.Mutex
	var linked, unfollowed []string
	o := MirrorOptions{Options: Options{Existing: Update}, Queue: transfer.Queue{Parallel: 4, PerHost: 4},
		Linked: func(_ locator.URL, path, _ string) { linked = append(linked, filepath.Base(path)) },
		Unfollowed: func(u locator.URL, _ string) {
			mu.Lock()
			defer mu.Unlock()
			unfollowed = append(unfollowed, strings.TrimPrefix(u.Text(), "x-tree://h/"))
		}}
	_, failed := s.mirror(dir, o)
	want := map[string]string{"latest": "v2", "file": "a", "chain": "latest", "dot": "v2", "deep": "latest/x", "self": ".",
		"sub/up": "../a", "sub/folder": "../v2", "sub/here": "y", "sub/through": "../a"}
	if got := links(t, dir); !maps.Equal(got, want) {
		t.Errorf("links %q\nwant  %q", got, want)
	}
	if len(linked) != len(want) {
		t.Errorf("told of %q", linked)
	}
	for name := range want {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s leads nowhere: %v", name, err)
		}
	}
	slices.Sort(failed)
	if failed != nil {
		t.Errorf("failed %q", failed)
	}
	slices.Sort(unfollowed)
	if want := []string{"dangling", "loop", "other", "out", "ring", "ring2"}; !slices.Equal(unfollowed, want) {
		t.Errorf("not followed %q, want %q", unfollowed, want)
	}
	got := contents(t, dir)
	if got["abs"] != "copy of abs" || got["sub/out"] != "copy of sub/out" {
		t.Errorf("files %q", got)
	}

	// Nothing is made in the second run. A link that leads elsewhere now is made again, unless
	// somebody changed it here.
	linked = nil
	s.mirror(dir, o)
	if linked != nil {
		t.Errorf("the second run made %q", linked)
	}
	for _, name := range []string{"latest", "file"} {
		s.remove(name)
		s.addLink(name, "sub")
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "file")), os.Symlink("/etc", filepath.Join(dir, "file"))); err != nil {
		t.Fatal(err)
	}
	_, failed = s.mirror(dir, o)
	if got := links(t, dir); got["latest"] != "sub" || got["file"] != "/etc" || !slices.Contains(failed, "file") {
		t.Errorf("links %q, failed %q", got, failed)
	}
	o.Existing = Sync
	s.mirror(dir, o)
	if got := links(t, dir); got["file"] != "sub" {
		t.Errorf("Sync: links %q", got)
	}

	// A link that is a file now is replaced, and not written through; Delete removes a link that is
	// gone, and not what it leads to.
	o.Existing, o.Delete = Update, true
	s.remove("latest")
	s.put("latest", "a file", clock, 0)
	s.remove("chain")
	s.remove("deep")
	s.mirror(dir, o)
	if got := contents(t, dir); got["latest"] != "a file" || got["v2/x"] != "x" || got["sub/y"] != "y" {
		t.Errorf("files %q", got)
	}
	if in, err := os.Lstat(filepath.Join(dir, "latest")); err != nil || !in.Mode().IsRegular() {
		t.Errorf("latest: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "chain")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("chain: %v", err)
	}
}

// A link says the local name of what it leads to, and leads to nothing outside the folder of the
// mirror.
//
// Covers: T158
func TestMirrorLinkNames(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	s.put("CON", "device", clock, 0)
	s.addLink("link", "CON")
	s.addLink("sub/out", "../../secret")
	s.fixedTree["/sub/out"] = node{body: "S"}
	if err := os.WriteFile(filepath.Join(dir, "secret"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c := newTreeClient(t, s)
	f := openFolder(t, dir) // with portable names
	if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, "x-tree://h/")}, f, MirrorOptions{Prefix: []string{"h"}}); err != nil {
		t.Error(err)
	}
	if got, want := links(t, dir), map[string]string{"h/link": "_CON"}; !maps.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if got := files(t, dir); got["h/link"] != "device" || got["h/sub/out"] != "S" {
		t.Errorf("files %q", got)
	}
}

// A link does not lead to what the mirror has not downloaded: a file of the user, or the index.
func TestMirrorLinkToOwnFile(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	for _, name := range []string{"own", "folder/own", "before"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "folder"), 0o777), os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"index": ".locator", "mine": "own", "deep": "folder/own", "there": "folder", "sub/up": "../own", "good": "a"} {
		s.addLink(name, target)
		s.fixedTree["/"+name] = node{body: "theirs"}
	}
	s.mirror(dir, MirrorOptions{Options: Options{Existing: Update}})
	s.mirror(dir, MirrorOptions{Options: Options{Existing: Update}}) // the folder has an index now
	if got, want := links(t, dir), map[string]string{"good": "a"}; !maps.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if got := contents(t, dir); got["mine"] != "theirs" || got["own"] != "mine" {
		t.Errorf("files %q", got)
	}
}

// Delete removes nothing behind a link that took the place of a folder here, in the folder of the
// mirror or outside.
func TestMirrorDeleteBehindLink(t *testing.T) {
	t.Parallel()
	for name, moved := range map[string]string{"outside": "../moved", "inside": "moved"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := linkSite(t), filepath.Join(t.TempDir(), "mirror")
			o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
			s.mirror(dir, o)
			if err := errors.Join(os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, moved)), os.Symlink(moved, filepath.Join(dir, "sub"))); err != nil {
				t.Fatal(err)
			}
			s.remove("sub")
			var notes []string
			o.Events.Note = func(text string) { notes = append(notes, text) }
			if _, failed := s.mirror(dir, o); failed != nil {
				t.Errorf("failed %q", failed)
			}
			if _, err := os.Stat(filepath.Join(dir, moved, "y")); err != nil {
				t.Error(err)
			}
			if len(notes) != 1 || !strings.HasSuffix(notes[0], "y is gone from the server; it was changed here and stays") {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// A link to a folder that has nothing but links is made in the first run.
func TestMirrorLinkToFolderOfLinks(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	root := s.fixedTree["/"]
	root.entries = append(root.entries, entry(t, "/only/"))
	s.fixedTree["/"], s.fixedTree["/only/"] = root, node{}
	s.addLink("first", "only")
	s.addLink("only/a", "../a")
	s.mirror(dir, MirrorOptions{Options: Options{Existing: Update}})
	if got, want := links(t, dir), map[string]string{"first": "only", "only/a": "../a"}; !maps.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
}

// A folder that takes the place of a link on the server takes it in the mirror, too, unless the
// link was changed here. Nothing is written where the link leads.
func TestMirrorLinkBecomesFolder(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	o := MirrorOptions{Options: Options{Existing: Update}}
	for _, name := range []string{"now", "mine"} {
		s.addLink(name, "v2")
	}
	s.mirror(dir, o)
	mine := filepath.Join(dir, "mine")
	if err := errors.Join(os.Remove(mine), os.Symlink("sub", mine)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"now", "mine"} {
		s.remove(name)
		p := "/" + name + "/"
		root := s.fixedTree["/"]
		root.entries = append(root.entries, entry(t, p))
		s.fixedTree["/"], s.fixedTree[p], s.fixedTree[p+"new"] = root, node{entries: []scheme.Entry{entry(t, p+"new")}}, node{body: "new"}
	}
	for range 2 {
		s.mirror(dir, o)
		got := contents(t, dir)
		if got["now/new"] != "new" || got["mine~2/new"] != "new" || got["v2/new"] != "" || got["sub/new"] != "" {
			t.Errorf("files %q", got)
		}
		if got, want := links(t, dir), map[string]string{"mine": "sub"}; !maps.Equal(got, want) {
			t.Errorf("links %q, want %q", got, want)
		}
	}
}

// Empty folders are made if the options say so. Delete removes them when they are gone from the
// server and empty here.
func TestMirrorEmptyFolders(t *testing.T) {
	t.Parallel()
	s, dir := linkSite(t), t.TempDir()
	root := s.fixedTree["/"]
	root.entries = append(root.entries, entry(t, "/empty/"), entry(t, "/nest/"), entry(t, "/bad/"))
	s.fixedTree["/"] = root
	s.fixedTree["/empty/"] = node{entries: []scheme.Entry{}}
	s.fixedTree["/nest/"] = node{entries: []scheme.Entry{entry(t, "/nest/a/"), entry(t, "/nest/b/")}}
	s.fixedTree["/nest/a/"], s.fixedTree["/nest/b/"] = node{entries: []scheme.Entry{}}, node{entries: []scheme.Entry{}}
	s.fixedTree["/bad/"] = node{err: scheme.Fail(scheme.CodeRefused, "no")}
	s.mayFail = true
	exist := func(names ...string) {
		t.Helper()
		for _, name := range []string{"empty", "nest/a", "nest/b", "bad"} {
			in, err := os.Stat(filepath.Join(dir, name))
			if there := err == nil && in.IsDir(); there != slices.Contains(names, name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	o := MirrorOptions{Options: Options{Existing: Update}}
	s.mirror(dir, o)
	exist()
	o.EmptyFolders = true
	s.mirror(dir, o)
	exist("empty", "nest/a", "nest/b")
	o.Delete = true
	var deleted []string
	o.Deleted = func(path string) { deleted = append(deleted, filepath.Base(path)) }
	s.mirror(dir, o)
	exist("empty", "nest/a", "nest/b")
	root.entries = slices.DeleteFunc(slices.Clone(root.entries), func(e scheme.Entry) bool { return e.Name == "empty" || e.Name == "nest" })
	s.fixedTree["/"] = root
	if err := os.WriteFile(filepath.Join(dir, "nest", "b", "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s.mirror(dir, o)
	exist("nest/b")
	if slices.Sort(deleted); !slices.Equal(deleted, []string{"a", "empty"}) {
		t.Errorf("deleted %q", deleted)
	}
}

// A dry run names the files that would be downloaded and removed, and changes nothing.
func TestMirrorDryRun(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	for _, name := range []string{"stays", "goes", "mine"} {
		s.put(name, name, clock, 0)
	}
	o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
	s.mirror(dir, o)
	s.remove("goes")
	s.remove("mine")
	s.put("new", "new", clock, 0)
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("changed"), 0o666); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	var would, deleted []string
	o.DryRun = func(v tree.Visit) { would = append(would, v.Entry.Name) }
	o.Deleted = func(path string) { deleted = append(deleted, filepath.Base(path)) }
	if gets, _ := s.mirror(dir, o); gets != nil {
		t.Errorf("requested %q", gets)
	}
	if !slices.Equal(would, []string{"stays", "new"}) || !slices.Equal(deleted, []string{"goes"}) {
		t.Errorf("would download %q, would remove %q", would, deleted)
	}
	if after := files(t, dir); !maps.Equal(after, before) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// A folder that became a link to something in the mirror is replaced by the link, when Delete has
// removed its files. What was changed here, or is not the mirror's, stays and is an error, and so
// is everything without Delete. A folder that became a link to something else stays.
//
// Covers: P6
func TestMirrorBecomesLink(t *testing.T) {
	t.Parallel()
	before := []string{"cur/x", "cur/deep/x", "v2/x", "sub/cur/x", "out/x", "one"}
	linked := map[string]string{"cur": "v2", "sub/cur": "../cur"}
	for name, test := range map[string]struct {
		keep     bool // Delete is not set
		change   map[string]string
		remove   []string
		unwanted string
		after    []string // what the server has besides the links, if not v2/x
		inTheWay []string // the URLs of the errors
		want     map[string]string
		links    map[string]string
	}{
		"delete":          {want: bodies("v2/x", "out/x", "one"), links: linked},
		"without delete":  {keep: true, inTheWay: []string{"cur", "sub/cur"}, want: bodies(before...)},
		"target unwanted": {remove: []string{"v2"}, unwanted: "v2", want: bodies("cur/x", "cur/deep/x", "sub/cur/x", "out/x", "one")},
		"target gone":     {after: []string{"sub/", "x"}, want: bodies("cur/x", "cur/deep/x", "sub/cur/x", "out/x", "one", "x")},
		"removed here":    {keep: true, remove: []string{"cur", "sub/cur"}, want: bodies("v2/x", "out/x", "one"), links: linked},
		"a file that was changed": {change: map[string]string{"cur/x": "mine"}, inTheWay: []string{"cur"},
			want: map[string]string{"cur/x": "mine", "v2/x": "v2/x", "out/x": "out/x", "one": "one"}, links: map[string]string{"sub/cur": "../cur"}},
		"a file of the user": {change: map[string]string{"cur/own": "mine"}, inTheWay: []string{"cur"},
			want: map[string]string{"cur/own": "mine", "v2/x": "v2/x", "out/x": "out/x", "one": "one"}, links: map[string]string{"sub/cur": "../cur"}},
	} {
		s, dir := newSite(t), t.TempDir()
		s.serve(before...)
		o := MirrorOptions{Options: Options{Existing: Update}}
		if _, failed := s.mirror(dir, o); failed != nil {
			t.Fatal(failed)
		}
		changeHere(t, dir, test.change, test.remove)
		o.Want = func(v tree.Visit) bool { return v.Path[0] != test.unwanted }
		if test.after == nil {
			test.after = []string{"v2/x", "sub/"}
		}
		s.serve(test.after...)
		s.addLink("cur", "v2")
		s.addLink("sub/cur", "../cur")
		s.addLink("out", "elsewhere")
		s.addLink("one", "elsewhere")
		o.Delete, s.mayFail = !test.keep, true
		dry := o
		var would []string
		dry.DryRun, dry.Deleted = func(tree.Visit) {}, func(p string) { would = append(would, p) }
		if s.mirror(dir, dry); len(would) == 0 && o.Delete && test.unwanted == "" {
			t.Errorf("%s: a dry run removes nothing", name)
		}
		for range 2 {
			_, failed := s.mirror(dir, o)
			if slices.Sort(failed); !slices.Equal(failed, test.inTheWay) {
				t.Errorf("%s: failed at %q, want %q", name, failed, test.inTheWay)
			}
			if got := contents(t, dir); !maps.Equal(got, test.want) {
				t.Errorf("%s: files %q, want %q", name, got, test.want)
			}
			if got := links(t, dir); !maps.Equal(got, test.links) {
				t.Errorf("%s: links %q, want %q", name, got, test.links)
			}
		}
	}
}

// What is said of a link to a folder is known: some servers do not tell where a link leads.
//
// Covers: P6
func TestMirrorLinkWithoutTarget(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.addLink("named", "/elsewhere")
	s.addLink("unnamed", "")
	for i, name := range []string{"named", "unnamed"} {
		s.fixedTree["/"].entries[i].Attr.Modified = clock
		s.fixedTree["/"+name] = node{entries: []scheme.Entry{entry(t, "/"+name+"/x")}}
	}
	got := make(map[string]string)
	s.mirror(t.TempDir(), MirrorOptions{Unfollowed: func(u locator.URL, why string) { got[u.Text()] = why }})
	if want := map[string]string{"x-tree://h/named": toFolder, "x-tree://h/unnamed": toUnnamed}; !maps.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// A folder that became what may be a link or a file stays, and the message says no more than the
// server does.
//
// Covers: P6
func TestMirrorBecomesUnknown(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.serve("cur/x", "v2/x")
	o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
	if _, failed := s.mirror(dir, o); failed != nil {
		t.Fatal(failed)
	}
	s.serve("v2/x")
	s.addLink("cur", "")
	to := openFolder(t, dir)
	defer to.Close()
	if err := to.UseIndex(); err != nil {
		t.Fatal(err)
	}
	var err error
	o.Failed = func(_ locator.URL, e error) { err = e }
	Mirror(t.Context(), newTreeClient(t, s), scheme.Request{URL: parse(t, "x-tree://h/")}, to, o)
	if !errors.Is(err, ErrInTheWay) || !strings.Contains(err.Error(), "has a file or a link now where it had a folder") {
		t.Error(err)
	}
	if got := contents(t, dir); !maps.Equal(got, bodies("cur/x", "v2/x")) {
		t.Errorf("files %q", got)
	}
}
