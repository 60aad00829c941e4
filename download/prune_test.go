package download

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/transfer"
	"locator/tree"
)

// Delete removes nothing if more is gone than it may remove, and says so in a dry run, too. An
// incomplete listing removes nothing anyway.
func TestMirrorMaxDelete(t *testing.T) {
	t.Parallel()
	folders := []string{"u/", "v/", "w/", "x/", "y/"} // do not count
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"}
	for _, test := range []struct {
		left, max, want int // files on the server, MaxDelete, files here after the run
		unread          bool
	}{
		{left: 10, want: 10}, {left: 9, want: 20}, {left: 0, want: 20}, {left: 9, max: 11, want: 9}, {left: 9, max: 10, want: 20},
		{left: 18, max: 1, want: 20}, {left: 15, want: 20, unread: true},
	} {
		s, dir := newSite(t), t.TempDir()
		s.serve(append(folders, names...)...)
		o := MirrorOptions{Options: Options{Existing: Update}, Delete: true, MaxDelete: test.max, EmptyFolders: true}
		if _, failed := s.mirror(dir, o); failed != nil {
			t.Fatal(failed)
		}
		s.serve(append(folders, names[:test.left]...)...)
		if test.unread {
			root := s.fixedTree["/"]
			root.entries = append(root.entries, scheme.Entry{Name: "Output truncated", Kind: scheme.KindNote, Unread: true})
			s.fixedTree["/"] = root
		}
		s.mayFail = true
		deleted := 0
		o.Deleted = func(string) { deleted++ }
		dry := o
		dry.DryRun = func(tree.Visit) {}
		_, failed := s.mirror(dir, dry)
		if got := len(contents(t, dir)); got != len(names) || (deleted > 0) == test.unread || (failed != nil) != (test.want == 20) {
			t.Errorf("%+v: the dry run leaves %d files, says that it would remove %d, and failed at %q", test, got, deleted, failed)
		}
		deleted = 0
		_, failed = s.mirror(dir, o)
		if got := len(contents(t, dir)); got != test.want || deleted != len(names)-test.want || (failed != nil) != (test.want == 20) {
			t.Errorf("%+v: %d files are left, %d were removed, failed at %q", test, got, deleted, failed)
		}
	}
}

// What was changed here is not counted as removed.
func TestMirrorMaxDeleteChanged(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	var names []string
	for c := 'a'; c <= 'o'; c++ {
		names = append(names, string(c))
	}
	s.serve(names...)
	o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
	s.mirror(dir, o)
	s.serve("a")
	for _, name := range names[5:] {
		os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666)
	}
	if _, failed := s.mirror(dir, o); failed != nil || len(contents(t, dir)) != 11 {
		t.Errorf("failed at %q; files %q", failed, contents(t, dir))
	}
}

// An entry whose name is a whole path shows that its folders exist.
func TestMirrorDeleteWholePaths(t *testing.T) {
	t.Parallel()
	x := newIndexPages(t)
	x.pages["/"] = []string{"a", "deep/er/b"}
	for range 2 {
		x.mirror(t, "/", "a", "deep/er/b", "index.html")
	}
}

// Delete keeps files and folders that robots.txt forbids.
func TestMirrorDeleteRobots(t *testing.T) {
	t.Parallel()
	x := newIndexPages(t)
	x.pages["/"], x.pages["/secret/"] = []string{"a", "b", "secret/"}, []string{"c"}
	all := []string{"a", "b", "index.html", "secret/c", "secret/index.html"}
	x.mirror(t, "/", all...)
	for _, x.robots = range []string{"User-agent: *\nDisallow: /secret/\n", "User-agent: *\nDisallow: /b\n"} {
		x.mirror(t, "/", all...)
	}
}

// What turns out to be outside of the tree stays: the first entry of a page decides where its tree
// begins.
func TestMirrorDeleteOutside(t *testing.T) {
	t.Parallel()
	x := newIndexPages(t)
	x.pages["/pub"] = []string{"/other", "/pub/a"}
	x.mirror(t, "/pub", "other", "pub", "pub~2/a")
	x.pages["/pub"] = []string{"/pub/a", "/other"}
	x.mirror(t, "/pub", "a", "other", "pub")
}

// Delete keeps the name that a file has without its wrapping, and that with it, from a run that
// kept that.
func TestMirrorDeleteDecoded(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	c := client.New(client.Options{Registry: scheme.NewRegistry(wrapped{s}), Policy: &allowAll{}})
	t.Cleanup(func() { c.Close() })
	s.serve("a.hqx")
	for _, decode := range []bool{false, true, true} {
		f := openFolder(t, dir)
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		o := MirrorOptions{Options: Options{Existing: Update, Access: scheme.AccessOptions{Decode: decode}}, Delete: true}
		if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, "x-tree://h/")}, f, o); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	if got := slices.Sorted(maps.Keys(contents(t, dir))); !slices.Equal(got, []string{"a", "a.hqx"}) {
		t.Errorf("files %q", got)
	}
}

// wrapped is a site whose files have another name when they are decoded.
type wrapped struct{ *site }

func (wrapped) FileName(u locator.URL, decoded bool) string {
	name := path.Base(u.Text())
	if decoded {
		name = strings.TrimSuffix(name, ".hqx")
	}
	return name
}

// Delete removes nothing after a quota has refused a byte, or the context has ended, even if the
// listing is complete.
func TestMirrorDeleteNotAfter(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(o *MirrorOptions, cancel func()){
		"a quota": func(o *MirrorOptions, _ func()) { o.Quota = transfer.NewQuota(1) },
		"the end": func(o *MirrorOptions, cancel func()) {
			o.Fetch = func(context.Context, scheme.Request, File, Options) (Outcome, error) {
				cancel()
				return Outcome{}, errors.New("interrupted")
			}
		},
	} {
		s, dir := newSite(t), t.TempDir()
		s.serve("gone")
		o := MirrorOptions{Options: Options{Existing: Update}, Delete: true}
		s.mirror(dir, o)
		s.serve("last")
		ctx, cancel := context.WithCancel(t.Context())
		prepare(&o, cancel)
		f := openFolder(t, dir)
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		if err := Mirror(ctx, newTreeClient(t, s), scheme.Request{URL: parse(t, "x-tree://h/")}, f, o); err == nil {
			t.Errorf("%s: no error", name)
		}
		f.Close()
		cancel()
		if got := contents(t, dir); got["gone"] != "gone" {
			t.Errorf("%s: files %q", name, got)
		}
	}
}

// indexPages is an http server whose indexes are hard-wired. Everything else is a file.
type indexPages struct {
	pages  map[string][]string // the links of each page, by its path
	robots string
	url    string
	dir    string
	c      *client.Client
}

func newIndexPages(t *testing.T) *indexPages {
	x := &indexPages{pages: make(map[string][]string), dir: t.TempDir()}
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Dec 1994 16:00:00 GMT")
		links := x.pages[r.URL.Path]
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, x.robots)
			return
		}
		if links == nil {
			fmt.Fprint(w, "1")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<pre>")
		for _, link := range links {
			fmt.Fprintf(w, "<a href=\"%s\">x</a>                   01-Dec-1994 16:00                   1\n", link)
		}
		fmt.Fprint(w, "</pre></html>")
	}))
	t.Cleanup(server.Close)
	x.url, x.c = server.URL, client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
	t.Cleanup(func() { x.c.Close() })
	return x
}

// mirror mirrors a page with Delete, and checks the names of the files.
func (x *indexPages) mirror(t *testing.T, page string, want ...string) {
	t.Helper()
	f := openFolder(t, x.dir)
	if err := f.UseIndex(); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := MirrorOptions{Options: Options{Existing: Update}, Delete: true, Walk: tree.WalkOptions{Robots: "locator"}}
	if err := Mirror(t.Context(), x.c, scheme.Request{URL: parse(t, x.url+page)}, f, o); err != nil {
		t.Error(err)
	}
	if got := slices.Sorted(maps.Keys(contents(t, x.dir))); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// Delete removes what is gone from the server, with its folders. It keeps what was changed here,
// what is not from below the URL, what the options leave out, and what stood in a listing that
// failed or was not understood.
func TestMirrorDelete(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	for _, name := range []string{"gone", "changed", "stays", "excluded"} {
		s.put(name, name, clock, 0)
	}
	folder := func(path string, names ...string) {
		var entries []scheme.Entry
		for _, name := range names {
			entries = append(entries, entry(t, path+name))
			s.fixedTree[path+name] = node{body: name}
		}
		s.fixedTree[path] = node{entries: entries}
		root := s.fixedTree["/"]
		root.entries = append(root.entries, entry(t, path))
		s.fixedTree["/"] = root
	}
	folder("/old/", "a", "b")
	folder("/failing/", "c")
	folder("/unclear/", "d")
	o := MirrorOptions{Options: Options{Existing: Update}, Prefix: []string{"h"}, Delete: true}
	if _, failed := s.mirror(dir, o); failed != nil {
		t.Fatal(failed)
	}
	other := MirrorOptions{Options: Options{Existing: Update}} // of another tree in the same folder
	if _, failed := s.mirror(dir, other); failed != nil {
		t.Fatal(failed)
	}
	for _, name := range []string{"gone", "changed", "excluded"} {
		s.remove(name)
	}
	s.put("excluded", "excluded", clock, 0)
	root := s.fixedTree["/"]
	root.entries = slices.DeleteFunc(root.entries, func(e scheme.Entry) bool { return e.Name == "old" })
	s.fixedTree["/"] = root
	s.fixedTree["/failing/"] = node{err: scheme.Fail(scheme.CodeUnavailable, "not now")}
	s.fixedTree["/unclear/"] = node{entries: []scheme.Entry{{Name: "-rw- what is this", Kind: scheme.KindNote, Unread: true}}}
	if err := os.WriteFile(filepath.Join(dir, "h", "changed"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	var deleted, notes []string
	o.Deleted = func(path string) {
		deleted = append(deleted, strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/"))
	}
	o.Events.Note = func(text string) { notes = append(notes, text) }
	o.Want = func(v tree.Visit) bool { return v.Entry.Name != "excluded" }
	s.mayFail = true
	s.mirror(dir, o)
	if want := []string{"h/gone", "h/old/a", "h/old/b"}; !slices.Equal(deleted, want) {
		t.Errorf("deleted %q, want %q", deleted, want)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "changed") {
		t.Errorf("notes %q", notes)
	}
	want := map[string]string{"h/stays": "stays", "h/changed": "mine", "h/excluded": "excluded", "h/failing/c": "c", "h/unclear/d": "d",
		"gone": "gone", "changed": "changed", "stays": "stays", "excluded": "excluded", "old/a": "a", "old/b": "b", "failing/c": "c", "unclear/d": "d"}
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "h", "old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder that is gone from the server: %v", err)
	}
	if s.mirror(dir, o); len(deleted) != 3 {
		t.Errorf("again deleted %q", deleted[3:])
	}
}

// Delete removes nothing that a single download has stored.
func TestMirrorDeleteOthers(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.put("a", "a", clock, 0)
	s.put("b", "b", clock, 0)
	f := openFolder(t, dir)
	if err := f.UseIndex(); err != nil {
		t.Fatal(err)
	}
	to, err := f.File(parse(t, "x-tree://h/b"), []string{"b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Fetch(t.Context(), newTreeClient(t, s), scheme.Request{URL: parse(t, "x-tree://h/b")}, to, Options{}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s.remove("b")
	if s.mirror(dir, MirrorOptions{Options: Options{Existing: Update}, Delete: true}); contents(t, dir)["b"] != "b" {
		t.Error("a file that was downloaded alone is removed")
	}
}
