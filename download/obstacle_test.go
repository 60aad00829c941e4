package download

import (
	"context"
	"errors"
	"fmt"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

// serve replaces the tree by these files, and the folders that end in "/". The time of all is clock.
func (s *site) serve(paths ...string) {
	s.tree = tree{"/": {entries: []scheme.Entry{}}}
	for _, p := range slices.Sorted(slices.Values(paths)) {
		dir := "/"
		for part := range strings.SplitSeq(strings.TrimSuffix(path.Dir("/"+p+"x"), "/"), "/") {
			if part == "" {
				continue
			}
			s.list(dir, part+"/")
			if dir += part + "/"; s.tree[dir].entries == nil {
				s.tree[dir] = node{entries: []scheme.Entry{}}
			}
		}
		if !strings.HasSuffix(p, "/") {
			s.list(dir, path.Base(p))
			s.tree["/"+p] = node{body: p}
		}
	}
}

// list adds a name to a folder unless it is there.
func (s *site) list(dir, name string) {
	n := s.tree[dir]
	e := entry(s.t, dir+name)
	if slices.ContainsFunc(n.entries, func(other scheme.Entry) bool { return other.URL == e.URL }) {
		return
	}
	if e.Kind == scheme.KindObject {
		e.Attr = scheme.Attr{Size: scheme.Known(int64(len(dir+name) - 1)), Modified: clock}
	}
	n.entries = append(n.entries, e)
	s.tree[dir] = n
}

// bodies are the contents of files that serve made.
func bodies(paths ...string) map[string]string {
	all := make(map[string]string)
	for _, p := range paths {
		all[p] = p
	}
	return all
}

// A file that became a folder, or the reverse, gets its name when Delete has removed what was there. What was changed here, or is not
// the mirror's, stays and is an error, and so is everything without Delete. No name gets a number.
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
		for file, text := range test.change {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range test.remove {
			os.RemoveAll(filepath.Join(dir, file))
		}
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

// A server that has a file and a folder of one name, such as a menu, has nothing in the way: the one that comes later gets a number.
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

// Delete removes nothing if more is gone than it may remove, and says so in a dry run, too. An incomplete listing removes nothing anyway.
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
			root := s.tree["/"]
			root.entries = append(root.entries, scheme.Entry{Name: "Output truncated", Kind: scheme.KindNote, Unread: true})
			s.tree["/"] = root
		}
		s.mayFail = true
		deleted := 0
		o.Deleted = func(string) { deleted++ }
		dry := o
		dry.DryRun = func(client.Visit) {}
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
	const row = "<a href=\"%s\">x</a>                   01-Dec-1994 16:00                   1\n"
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Dec 1994 16:00:00 GMT")
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<pre>"+row+row+"</pre></html>", "a", "deep/er/b")
		} else {
			fmt.Fprint(w, "1")
		}
	}))
	t.Cleanup(server.Close)
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: allowAll{}})
	t.Cleanup(func() { c.Close() })
	f := openFolder(t, t.TempDir())
	if err := f.UseIndex(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		o := MirrorOptions{Options: Options{Existing: Update}, Delete: true, NoListings: true}
		if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, f, o); err != nil {
			t.Fatal(err)
		}
		if got, want := contents(t, f.path), map[string]string{"a": "1", "deep/er/b": "1"}; !maps.Equal(got, want) {
			t.Errorf("files %q, want %q", got, want)
		}
		clear(f.given) // as in another run
	}
}

// The page of a file that became a folder waits, too.
func TestMirrorPageBecomes(t *testing.T) {
	t.Parallel()
	const row = "<a href=\"%s\">x</a>                   01-Dec-1994 16:00                   1\n"
	var folder atomic.Bool
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Dec 1994 16:00:00 GMT")
		page := map[string]string{"/": "x", "/x/": "in"}
		if folder.Load() {
			page["/"] = "x/"
		}
		if page[r.URL.Path] != "" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<pre>"+row+"</pre></html>", page[r.URL.Path])
			return
		}
		fmt.Fprint(w, "1")
	}))
	t.Cleanup(server.Close)
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: allowAll{}})
	t.Cleanup(func() { c.Close() })
	dir := t.TempDir()
	for range 2 {
		f := openFolder(t, dir)
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, f, MirrorOptions{Options: Options{Existing: Update}, Delete: true}); err != nil {
			t.Error(err)
		}
		f.Close()
		if folder.Swap(true) {
			break
		}
	}
	if got := slices.Sorted(maps.Keys(contents(t, dir))); !slices.Equal(got, []string{"index.html", "x/in", "x/index.html"}) {
		t.Errorf("files %q", got)
	}
}

// Delete removes nothing after a quota has refused a byte, or the context has ended, even if the listing is complete.
func TestMirrorDeleteNotAfter(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(o *MirrorOptions, cancel func()){
		"a quota": func(o *MirrorOptions, _ func()) { o.Quota = NewQuota(1) },
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
