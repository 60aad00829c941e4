package download

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/transfer"
	"locator/tree"
)

// fixedTree is a scheme whose listings are hard-wired.
type fixedTree map[string]node

// node is a file or folder of a tree.
type node struct {
	body    string
	entries []scheme.Entry // of a folder
	err     error          // of the access and of the listing
}

func (fixedTree) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-tree"} }

func (t fixedTree) at(u locator.URL) node {
	n, ok := t[strings.TrimPrefix(u.Text(), "x-tree://h")]
	if !ok {
		n.err = scheme.Fail(scheme.CodeNotFound, "nothing there")
	}
	return n
}

func (t fixedTree) Access(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	n := t.at(r.URL)
	switch {
	case n.err != nil:
		return nil, n.err
	case o.Type != 'i' || !o.NoSubmit:
		return nil, scheme.Fail(scheme.CodeUsage, "a mirror wants bytes and submits nothing")
	case n.entries != nil:
		return &scheme.Resource{Kind: scheme.KindListing}, nil
	}
	return &scheme.Resource{Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(n.body))}, nil
}

func (t fixedTree) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	n := t.at(r.URL)
	switch {
	case n.err != nil:
		return nil, n.err
	case n.entries == nil:
		return nil, scheme.Fail(scheme.CodeUnsupported, "a file has no listing")
	}
	return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		for _, e := range n.entries {
			if !yield(e, nil) {
				return
			}
		}
	}}, nil
}

// entry makes the entry of a listing. The kind follows from the end of the path.
func entry(t *testing.T, p string) scheme.Entry {
	kind := scheme.KindObject
	switch {
	case strings.HasSuffix(p, "/"):
		kind = scheme.KindListing
	case strings.HasSuffix(p, "?"):
		p, kind = strings.TrimSuffix(p, "?"), scheme.KindUnknown
	}
	return scheme.Entry{Name: path.Base(p), URL: parse(t, "x-tree://h"+p), Kind: kind}
}

func testTree(t *testing.T) fixedTree {
	link := entry(t, "/link?")
	link.Target = "/pub/sub"
	return fixedTree{
		"/": {entries: []scheme.Entry{entry(t, "/a"), entry(t, "/sub/"), entry(t, "/gone"), link, entry(t, "/bad/"), entry(t, "/file?"), entry(t, "/named?"),
			{Name: "odd", Kind: scheme.KindNote, Unread: true}}},
		"/a":         {body: "A"},
		"/sub/":      {entries: []scheme.Entry{entry(t, "/sub/CON"), entry(t, "/sub/b.txt")}},
		"/sub/CON":   {body: "device"},
		"/sub/b.txt": {body: "B"},
		"/link":      {entries: []scheme.Entry{entry(t, "/link/x")}},
		"/named":     {entries: []scheme.Entry{entry(t, "/named/x")}},
		"/bad/":      {err: scheme.Fail(scheme.CodeRefused, "not for you")},
		"/file":      {body: "F"},
	}
}

// files returns the contents of all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if in, err := os.Stat(name); err == nil && in.IsDir() { // a link
			return nil
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

func newTreeClient(t *testing.T, s scheme.Scheme) *client.Client {
	c := client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &allowAll{}})
	t.Cleanup(func() { c.Close() })
	return c
}

func openFolder(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.Portable = true
	return f
}

// A mirror stores every file, goes on after failures, and leaves out a link that turns out to be no
// file. A directory that is listed as a name alone, and a line of a listing that could not be read,
// are failures.
//
// Covers: P6
func TestMirror(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, r := newTreeClient(t, testTree(t)), scheme.Request{URL: parse(t, "x-tree://h/")}
	var mu sync.Mutex
	failed, leftOut := make(map[string]scheme.Code), make(map[string]string)
	var unfollowed []string
	o := MirrorOptions{
		Queue: transfer.Queue{Parallel: 4, PerHost: 4},
		Walk: tree.WalkOptions{LeftOut: func(u locator.URL, why string) {
			mu.Lock()
			defer mu.Unlock()
			leftOut[u.Text()] = why
		}},
		Unfollowed: func(u locator.URL, _ string) {
			mu.Lock()
			defer mu.Unlock()
			unfollowed = append(unfollowed, u.Text())
		},
		Failed: func(u locator.URL, err error) {
			mu.Lock()
			defer mu.Unlock()
			failed[u.Text()] = client.CodeOf(err)
		},
	}
	err := Mirror(t.Context(), c, r, openFolder(t, dir), o)
	if code := client.CodeOf(err); code != scheme.CodeNotFound && code != scheme.CodeRefused && code != scheme.CodeUnsupported {
		t.Errorf("the first error is %v", err)
	}
	if want := map[string]string{"a": "A", "sub/_CON": "device", "sub/b.txt": "B", "file": "F"}; !maps.Equal(files(t, dir), want) {
		t.Errorf("files %q, want %q", files(t, dir), want)
	}
	if want := map[string]scheme.Code{"x-tree://h/gone": scheme.CodeNotFound, "x-tree://h/bad/": scheme.CodeRefused,
		"x-tree://h/named": scheme.CodeUnsupported, "x-tree://h/": scheme.CodeUnsupported}; !maps.Equal(failed, want) {
		t.Errorf("failed %v, want %v", failed, want)
	}
	if want := []string{"x-tree://h/link"}; !slices.Equal(unfollowed, want) || len(leftOut) > 0 {
		t.Errorf("not followed %v, want %v; left out %v", unfollowed, want, leftOut)
	}
	// A second run into the same folder replaces nothing unless it may.
	clear(failed)
	o.Existing = Refuse
	Mirror(t.Context(), c, r, openFolder(t, dir), o)
	if len(failed) != 8 || failed["x-tree://h/a"] != scheme.CodeLocal {
		t.Errorf("the second run: failed %v", failed)
	}
	clear(failed)
	o.Existing = Replace
	if Mirror(t.Context(), c, r, openFolder(t, dir), o); len(failed) != 4 {
		t.Errorf("the third run: failed %v", failed)
	}
}

// Want and Fetch of the caller decide; a URL without a listing is a tree of one file.
func TestMirrorOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := newTreeClient(t, testTree(t))
	to := openFolder(t, dir)
	var mu sync.Mutex
	var asked []string
	o := MirrorOptions{
		Want: func(v tree.Visit) bool { return strings.HasPrefix(v.Entry.URL.Text(), "x-tree://h/sub/") },
		Fetch: func(_ context.Context, r scheme.Request, f File, o Options) (Outcome, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.URL.Text()+" "+filepath.Base(f.Path()))
			if f.Sync != to.Sync || o.Access.Type != 'i' || !o.Access.NoSubmit || r.Within.Text() != "x-tree://h/" {
				t.Errorf("%+v, %+v, %+v", r, f, o)
			}
			return Outcome{}, errors.New("no")
		},
	}
	to.Sync = true
	err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, "x-tree://h/")}, to, o)
	slices.Sort(asked)
	if want := []string{"x-tree://h/sub/CON _CON", "x-tree://h/sub/b.txt b.txt"}; !slices.Equal(asked, want) || err == nil {
		t.Errorf("%q, %v; want %q", asked, err, want)
	}
	if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, "x-tree://h/a")}, to, MirrorOptions{}); err != nil {
		t.Error(err)
	}
	if got := files(t, dir); !maps.Equal(got, map[string]string{"a": "A"}) {
		t.Errorf("files %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, Mirror(ctx, c, scheme.Request{URL: parse(t, "x-tree://h/")}, to, MirrorOptions{}), scheme.CodeInterrupted)
}

// DryRun is called with what Mirror would download, and nothing is downloaded.
func TestDryRun(t *testing.T) {
	t.Parallel()
	c := newTreeClient(t, testTree(t))
	for text, want := range map[string][]string{
		"x-tree://h/":   {"a", "gone", "link", "file", "named", ": error", "sub/CON", "sub/b.txt", "bad: error"},
		"x-tree://h/a":  {"a"},
		"x-tree://h/no": {": error"},
	} {
		var got []string
		o := MirrorOptions{
			DryRun: func(v tree.Visit) { got = append(got, strings.Join(v.Path, "/")) },
			Failed: func(u locator.URL, err error) {
				got = append(got, strings.Trim(strings.TrimPrefix(u.Text(), "x-tree://h/"), "/")+": error")
			},
		}
		dir := t.TempDir()
		Mirror(t.Context(), c, scheme.Request{URL: parse(t, text)}, openFolder(t, dir), o)
		if text == "x-tree://h/no" {
			want = []string{"no: error"}
		}
		if !slices.Equal(got, want) || len(files(t, dir)) > 0 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
