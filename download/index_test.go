package download

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/internal/safename"
	"locator/scheme"
)

// site is a tree whose listings tell sizes and times.
type site struct {
	fixedTree
	t    *testing.T
	mu   sync.Mutex
	gets []string // the files that were requested

	mayFail bool // failures other than ErrExist are expected
}

func (s *site) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets = append(s.gets, strings.TrimPrefix(r.URL.Text(), "x-tree://h/"))
	o.Type, o.NoSubmit = 'i', true
	return s.fixedTree.Access(ctx, env, r, o)
}

// put makes or changes the file /name in the listing of /.
func (s *site) put(name, body string, modified time.Time, precision time.Duration) {
	s.remove(name)
	e := entry(s.t, "/"+name)
	e.Attr = scheme.Attr{Size: scheme.Known(int64(len(body))), Modified: modified, Precision: precision}
	s.fixedTree["/"+name] = node{body: body}
	root := s.fixedTree["/"]
	root.entries = append(root.entries, e)
	s.fixedTree["/"] = root
}

func (s *site) remove(name string) {
	root := s.fixedTree["/"]
	root.entries = slices.DeleteFunc(slices.Clone(root.entries), func(e scheme.Entry) bool { return e.Name == name })
	s.fixedTree["/"] = root
	delete(s.fixedTree, "/"+name)
}

// mirror mirrors the site into dir, and returns the files that it requested and the names of those
// that failed.
func (s *site) mirror(dir string, o MirrorOptions) (gets, failed []string) {
	s.t.Helper()
	s.gets = nil
	c := newTreeClient(s.t, s)
	f, err := OpenFolder(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			s.t.Error(err)
		}
	}()
	if err := f.UseIndex(); err != nil {
		s.t.Fatal(err)
	}
	o.Failed = func(u locator.URL, err error) {
		if !errors.Is(err, ErrExist) && !s.mayFail {
			s.t.Errorf("%s: %v", u.Text(), err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		failed = append(failed, strings.TrimPrefix(u.Text(), "x-tree://h/"))
	}
	Mirror(s.t.Context(), c, scheme.Request{URL: parse(s.t, "x-tree://h/")}, f, o)
	slices.Sort(s.gets)
	return s.gets, failed
}

func newSite(t *testing.T) *site {
	return &site{fixedTree: fixedTree{"/": {entries: []scheme.Entry{}}}, t: t}
}

// contents are the files below dir without the index.
func contents(t *testing.T, dir string) map[string]string {
	all := files(t, dir)
	delete(all, IndexName)
	return all
}

var (
	day   = time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
	clock = time.Date(2012, 12, 12, 12, 12, 12, 0, time.UTC)
)

// A second mirror requests nothing. A later one requests what has changed on the server, replaces
// what nobody changed here, and refuses the rest; with Sync it replaces that, too.
func TestMirrorAgain(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.put("second", "a", clock, 0)
	s.put("minute", "b", clock.Truncate(time.Minute), time.Minute)
	s.put("day", "c", day, 24*time.Hour)
	s.put("nothing", "d", time.Time{}, 0) // without a time, as in a menu
	o := MirrorOptions{Options: Options{Existing: Update}}
	if gets, failed := s.mirror(dir, o); len(gets) != 4 || failed != nil {
		t.Fatalf("the first run: requested %q, failed %q", gets, failed)
	}
	for name, want := range map[string]time.Time{"second": clock, "minute": clock.Truncate(time.Minute), "day": day} {
		if in, err := os.Stat(filepath.Join(dir, name)); err != nil || !in.ModTime().Equal(want) {
			t.Errorf("%s: %v, %v; want %v", name, in.ModTime(), err, want)
		}
	}
	before, err := os.Stat(filepath.Join(dir, "nothing"))
	if err != nil {
		t.Fatal(err)
	}
	if gets, failed := s.mirror(dir, o); !slices.Equal(gets, []string{"nothing"}) || failed != nil {
		t.Errorf("the second run: requested %q, failed %q", gets, failed)
	}
	// What has no time is downloaded and compared. A file with the same contents stays.
	if after, err := os.Stat(filepath.Join(dir, "nothing")); err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the same contents: %v, %v; before %v", after, err, before)
	}
	if parts, _ := filepath.Glob(filepath.Join(dir, "*.part*")); parts != nil {
		t.Errorf("%q", parts)
	}
	// The listing of a file that was changed long ago is less precise; that is not a change.
	s.put("second", "a", clock.Truncate(24*time.Hour), 24*time.Hour)
	s.put("minute", "other", clock.Truncate(time.Minute), time.Minute) // another size
	s.put("day", "z", day.AddDate(0, 0, -1), 24*time.Hour)             // an earlier time
	s.put("nothing", "e", time.Time{}, 0)
	if gets, failed := s.mirror(dir, o); !slices.Equal(gets, []string{"day", "minute", "nothing"}) || failed != nil {
		t.Errorf("the third run: requested %q, failed %q", gets, failed)
	}
	want := map[string]string{"second": "a", "minute": "other", "day": "z", "nothing": "e"}
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	// Changes here: one that the server has not changed, one that it has, and one back to what the
	// server has.
	for _, name := range []string{"second", "minute"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.put("minute", "newer", clock.AddDate(1, 0, 0), time.Minute)
	if gets, failed := s.mirror(dir, o); !slices.Equal(gets, []string{"nothing"}) || len(failed) != 2 {
		t.Errorf("after changes here: requested %q, failed %q", gets, failed)
	}
	o.Existing = Sync
	if gets, failed := s.mirror(dir, o); !slices.Equal(gets, []string{"minute", "nothing", "second"}) || failed != nil {
		t.Errorf("Sync: requested %q, failed %q", gets, failed)
	}
	want["minute"] = "newer"
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// Without an index, a file with the size and time of the listing is current; any other is not
// replaced unless the options say so. A current one is in the index from then on.
func TestMirrorForeignFiles(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.put("same", "same", clock, 0)
	s.put("size", "size", clock, 0)
	s.put("time", "time", clock, 0)
	for name, modified := range map[string]time.Time{"same": clock, "size": clock, "time": clock.Add(-time.Second)} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(strings.Replace(name, "size", "longer", 1)), 0o666), os.Chtimes(path, modified, modified)); err != nil {
			t.Fatal(err)
		}
	}
	o := MirrorOptions{Options: Options{Existing: Update}}
	if gets, failed := s.mirror(dir, o); len(gets) > 0 || !slices.Equal(failed, []string{"size", "time"}) {
		t.Errorf("requested %q, failed %q", gets, failed)
	}
	s.put("same", "changed", clock, 0)
	if gets, failed := s.mirror(dir, o); !slices.Equal(gets, []string{"same"}) || len(failed) != 2 {
		t.Errorf("requested %q, failed %q", gets, failed)
	}
	o.Existing = Refuse
	if gets, failed := s.mirror(dir, o); len(gets) > 0 || len(failed) != 3 {
		t.Errorf("Refuse: requested %q, failed %q", gets, failed)
	}
}

// A URL has the same file in every run, whatever the order, and its folders have the same names.
//
// Covers: P6
func TestIndexNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := []string{"x/f", "y/f", "z/f"}
	places := func(order []string, portable bool) map[string]string {
		f := openFolder(t, dir)
		f.Portable = portable
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got := make(map[string]string)
		for _, name := range order {
			u := parse(t, "x-tree://h/"+name)
			for _, names := range [][]string{{"f"}, {"a:", "f"}, {"a?", name[:1]}, {"caf\xe9 100%41", "x/y"}} {
				to, err := f.File(u, names)
				if err != nil {
					t.Fatal(err)
				}
				got[name+" "+strings.Join(names, "/")] = to.Path()
				if err := to.remember(record{URL: u.Redacted()}); err != nil {
					t.Error(err)
				}
			}
		}
		return got
	}
	first := places(all, false)
	if seen := slices.Compact(slices.Sorted(maps.Values(first))); len(seen) != len(first) {
		t.Errorf("two files have one name: %q", first)
	}
	slices.Reverse(all)
	if again := places(append([]string{"w/f"}, all...), true); !isSubset(first, again) || again["w/f f"] != filepath.Join(dir, "f~4") {
		t.Errorf("first %q, then %q", first, again)
	}
}

func isSubset(a, b map[string]string) bool {
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// An index that is damaged, too large or no file does no harm: what it says of one file is lost, or
// the folder is not used.
//
// Covers: T84
func TestIndexDamaged(t *testing.T) {
	t.Parallel()
	good := `{"file":"f~7","names":["f"],"url":"x-tree://h/f","size":1,"stored":1,"changed":"2001-02-03T00:00:00Z"}` + "\n"
	for name, test := range map[string]struct {
		text string
		want string // the name for x-tree://h/f, "" if the folder is not used
	}{
		"good":             {good, "f~7"},
		"torn":             {good + good[:40], "f~7"},
		"torn in between":  {good[:40] + "\n" + good, "f~7"},
		"not JSON":         {"hello\n\n\x00\n" + good, "f~7"},
		"out of the tree":  {strings.Replace(good, "f~7", "../f", 1), "f"},
		"absolute":         {strings.Replace(good, "f~7", "/etc/f", 1), "f"},
		"a part":           {strings.Replace(good, "f~7", "f.part", 1), "f"},
		"the index itself": {strings.Replace(good, "f~7", ".locator", 1), "f"},
		"other depth":      {strings.Replace(good, "f~7", "a/f", 1), "f"},
		"hidden":           {strings.Replace(good, "f~7", ".bashrc", 1), "f"},
		"an option":        {strings.Replace(good, "f~7", "-rf", 1), "f"},
		"a hidden folder":  {strings.NewReplacer("f~7", ".git/hooks", `["f"]`, `["x","f"]`).Replace(good), "f"},
		"a line feed":      {strings.Replace(good, "f~7", "a\\nb", 1), "f"},
		"no folder name":   {strings.NewReplacer("f~7", "x/f", `["f"]`, `["","f"]`).Replace(good), "f"},
		"gone":             {good + strings.Replace(good, "{", `{"gone":true,`, 1), "f"},
		"a long line":      {good + strings.Repeat("x", 2*maxRecord), ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, IndexName), []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := openFolder(t, dir)
		if err := f.UseIndex(); (err != nil) != (test.want == "") {
			t.Errorf("%s: %v", name, err)
		}
		if test.want == "" {
			continue
		}
		to, err := f.File(parse(t, "x-tree://h/f"), []string{"f"})
		if err != nil || to.Name != test.want {
			t.Errorf("%s: %q, %v; want %q", name, to.Name, err, test.want)
		}
		if err := to.remember(record{URL: "x-tree://h/f", Stored: 5}); err != nil {
			t.Error(err)
		}
		f.Close()
		text, err := os.ReadFile(filepath.Join(dir, IndexName))
		if lines := bytes.Split(bytes.TrimSpace(text), []byte("\n")); err != nil || !bytes.Contains(lines[len(lines)-1], []byte(`"stored":5`)) || lines[len(lines)-1][0] != '{' {
			t.Errorf("%s: the last line is %q, %v", name, lines[len(lines)-1], err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, IndexName), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := openFolder(t, dir).UseIndex(); err == nil {
		t.Error("a folder is taken for an index")
	}
}

// The index is written anew when most of its lines are out of date.
func TestIndexCompact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for run := range 4 {
		f := openFolder(t, dir)
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			u := parse(t, fmt.Sprint("x-tree://h/", i))
			to, err := f.File(u, []string{fmt.Sprint(i)})
			if err != nil || to.Name != fmt.Sprint(i) {
				t.Fatalf("%q, %v", to.Name, err)
			}
			if err := to.remember(record{URL: u.Redacted(), Stored: int64(run)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, IndexName))
	if n := bytes.Count(text, []byte("\n")); err != nil || n >= 400 || n < 100 {
		t.Errorf("%d lines, %v", n, err)
	}
	f := openFolder(t, dir)
	if err := f.UseIndex(); err != nil || len(f.index.files) != 100 || f.index.files["7"].Stored != 3 {
		t.Errorf("%v, %d files, %+v", err, len(f.index.files), f.index.files["7"])
	}
}

// Resume takes the file of another URL for no copy, even if it has the same size and time.
func TestContinueForeign(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSource([]byte("AAAA"))
	for _, url := range []string{"x-source:a/f", "x-source:b/f"} {
		f := openFolder(t, dir)
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		to, err := f.File(parse(t, url), []string{"f"})
		if err != nil {
			t.Fatal(err)
		}
		c := s.client()
		out, err := Fetch(t.Context(), c, scheme.Request{URL: parse(t, url)}, to, Options{Resume: true})
		if err != nil || out.UpToDate {
			t.Errorf("%s: %+v, %v", url, out, err)
		}
		c.Close()
		f.Close()
		s.content = []byte("BBBB")
	}
	if got, want := contents(t, dir), map[string]string{"f": "AAAA", "f~2": "BBBB"}; !maps.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// A file that was changed here and has the size and the day of the server's is not taken for a
// copy.
func TestMirrorChangedAlike(t *testing.T) {
	t.Parallel()
	s, dir := newSite(t), t.TempDir()
	s.put("f", "server 1", day, 24*time.Hour)
	o := MirrorOptions{Options: Options{Existing: Update}}
	if _, failed := s.mirror(dir, o); failed != nil {
		t.Fatal(failed)
	}
	file := filepath.Join(dir, "f")
	if err := errors.Join(os.WriteFile(file, []byte("my edit!"), 0o666), os.Chtimes(file, day.Add(time.Hour), day.Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	s.mirror(dir, o)
	s.put("f", "server 2", day.AddDate(1, 0, 0), 24*time.Hour)
	if _, failed := s.mirror(dir, o); len(failed) != 1 {
		t.Errorf("failed %q", failed)
	}
	if got := contents(t, dir)["f"]; got != "my edit!" {
		t.Errorf("the file has %q", got)
	}
}

// A file that appears while it is being downloaded is not replaced unless that was asked for.
func TestAppears(t *testing.T) {
	t.Parallel()
	for existing, want := range map[Existing]string{Refuse: "mine", Update: "mine", Replace: "theirs", Sync: "theirs"} {
		s, f := newSource([]byte("theirs")), place(t)
		_, err := s.fetch(t, f, Options{Existing: existing, Events: Events{Begin: func(*scheme.Resource, int64) {
			f.Root.WriteFile(f.Name, []byte("mine"), 0o666)
		}}})
		if got, _ := f.Root.ReadFile(f.Name); string(got) != want || errors.Is(err, ErrExist) != (want == "mine") {
			t.Errorf("%d: %q, %v", existing, got, err)
		}
	}
}

// Names that differ only in their case, or in bytes that are not UTF-8, are different where the
// system keeps them apart.
//
// Covers: T39
func TestFolderCase(t *testing.T) {
	t.Parallel()
	f := openFolder(t, t.TempDir())
	f.Portable = false
	for _, served := range []string{"Makefile", "makefile", "caf\xe9", "caf\xe8"} {
		to, err := f.File(parse(t, "x-tree://h/f"), []string{served})
		if err != nil || to.Name != served && safename.Native().Case() {
			t.Errorf("%q is stored as %q, %v", served, to.Name, err)
		}
	}
}

// exactSite is a site whose server tells exact times when it is asked, and has listings to the
// minute.
type exactSite struct {
	*site
	exact map[string]time.Time
	asked []string
}

func (s *exactSite) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	res, err := s.site.Access(ctx, env, r, o)
	if err == nil {
		res.Attr.Modified = s.exact[strings.TrimPrefix(r.URL.Text(), "x-tree://h/")]
	}
	return res, err
}

func (s *exactSite) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	name := strings.TrimPrefix(r.URL.Text(), "x-tree://h/")
	s.asked = append(s.asked, name)
	return &scheme.Resource{Kind: scheme.KindObject, Attr: scheme.Attr{Modified: s.exact[name]}}, nil
}

// A file that was downloaded soon after its last change may change again within the same minute or
// day of the listing. The server is asked for the exact time of such files, and of no others.
//
// Covers: P6
func TestMirrorSameMinute(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Minute)
	s, dir := &exactSite{newSite(t), map[string]time.Time{"new": now.Add(time.Second), "old": clock}, nil}, t.TempDir()
	s.put("new", "one", now, time.Minute)
	s.put("old", "old", clock.Truncate(time.Minute), time.Minute)
	mirror := func() {
		t.Helper()
		s.gets, s.asked = nil, nil
		f := openFolder(t, dir)
		defer f.Close()
		if err := f.UseIndex(); err != nil {
			t.Fatal(err)
		}
		if err := Mirror(t.Context(), newTreeClient(t, s), scheme.Request{URL: parse(t, "x-tree://h/")}, f, MirrorOptions{Options: Options{Existing: Update}}); err != nil {
			t.Fatal(err)
		}
	}
	mirror()
	if len(s.gets) != 2 {
		t.Fatalf("requested %q", s.gets)
	}
	mirror()
	if s.gets != nil || !slices.Equal(s.asked, []string{"new"}) {
		t.Errorf("nothing has changed: requested %q, asked about %q", s.gets, s.asked)
	}
	s.put("new", "two", now, time.Minute)
	s.exact["new"] = now.Add(2 * time.Second)
	mirror()
	if got := contents(t, dir)["new"]; got != "two" || !slices.Equal(s.gets, []string{"new"}) {
		t.Errorf("after a change in the same minute: requested %q, the file has %q", s.gets, got)
	}
}
