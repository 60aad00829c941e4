package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
)

// treeScheme is a scheme with a tree of directories, by their paths, which end in a slash.
type treeScheme struct {
	fake
	entries map[string][]scheme.Entry
	real    map[string]string // the paths that the server tells, if they differ
	links   map[string]bool   // directories that are links, which listings do not show
	denied  []string          // paths that the server refuses to remove
	unsaid  []string          // paths about whose removal the server says nothing
	code    scheme.Code       // of unsaid; CodeInDoubt if zero
	removed []string
}

func (d *treeScheme) List(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	path, _ := r.URL.Path()
	list, ok := d.entries[path]
	if !ok {
		return nil, scheme.Fail(scheme.CodeNotFound, "no %s", path)
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}}
	if at, ok := d.real[path]; ok && o.Detail {
		res.Attr.More = []scheme.Attribute{{Name: "path", Value: at}}
	}
	return res, nil
}

func (d *treeScheme) Remove(_ context.Context, _ *scheme.Env, r scheme.Request) error {
	path, _ := r.URL.Path()
	if slices.Contains(d.denied, path) {
		return scheme.Fail(scheme.CodeLoginNeeded, "%w", scheme.ErrDenied)
	}
	if slices.Contains(d.unsaid, path) {
		return scheme.Fail(cmp.Or(d.code, scheme.CodeInDoubt), "no answer")
	}
	if _, dir := d.entries[path+"/"]; dir && !d.links[path+"/"] {
		return scheme.Fail(scheme.CodeUsage, "not empty")
	}
	d.removed = append(d.removed, path)
	return nil
}

func (d *treeScheme) MakeDir(context.Context, *scheme.Env, scheme.Request) error { return nil }

func item(url string) scheme.Entry {
	e := scheme.Entry{URL: parse(url), Kind: scheme.KindObject}
	if strings.HasSuffix(url, "/") {
		e.Kind = scheme.KindListing
	}
	return e
}

func linkTo(url, target string) scheme.Entry {
	e := item(url)
	e.Target = target
	return e
}

// RemoveAll removes nothing that is not in the directory, whatever the listings say.
//
// Covers: A15, P6
func TestRemoveAll(t *testing.T) {
	t.Parallel()
	link := linkTo("file:///t/link/", "/")
	tree := map[string][]scheme.Entry{
		"t/":     {item("file:///t/a"), item("file:///t/sub/"), link},
		"t/sub/": {item("file:///t/sub/b")},
	}
	with := func(path string, entries ...scheme.Entry) map[string][]scheme.Entry {
		all := map[string][]scheme.Entry{path: entries}
		for p, list := range tree {
			all[p] = append(slices.Clone(list), all[p]...)
		}
		return all
	}
	for name, tt := range map[string]struct {
		d    treeScheme
		want []string // what is removed, in order
		code scheme.Code
	}{
		"a tree":                    {treeScheme{entries: tree}, []string{"t/a", "t/sub/b", "t/sub/", "t/link", "t/"}, scheme.CodeOK},
		"a link shown as directory": {treeScheme{entries: tree, links: map[string]bool{"t/sub/": true}}, []string{"t/a", "t/sub", "t/link", "t/"}, scheme.CodeOK},
		"another path on the server": {treeScheme{entries: tree, real: map[string]string{"t/": "/home/t", "t/sub/": "/etc"}},
			[]string{"t/a", "t/link"}, scheme.CodeUsage},
		"the paths of the names": {treeScheme{entries: tree, real: map[string]string{"t/": "/home/t", "t/sub/": "/home/t/sub"}},
			[]string{"t/a", "t/sub/b", "t/sub/", "t/link", "t/"}, scheme.CodeOK},
		"a link that must stay":         {treeScheme{entries: tree, denied: []string{"t/sub"}}, []string{"t/a", "t/link"}, scheme.CodeLoginNeeded},
		"a directory without an answer": {treeScheme{entries: tree, unsaid: []string{"t/sub"}}, []string{"t/a", "t/link"}, scheme.CodeInDoubt},
		"the top without an answer":     {treeScheme{entries: tree, unsaid: []string{"t"}}, nil, scheme.CodeInDoubt},
		"the URL of a link":             {treeScheme{entries: with("", linkTo("file:///t/", "/x"))}, nil, scheme.CodeUsage},
		"what may be a link":            {treeScheme{entries: tree, denied: []string{"t"}}, nil, scheme.CodeLoginNeeded},
		"above":                         {treeScheme{entries: with("t/", item("file:///other"))}, nil, scheme.CodeUnsupported},
		"another host":                  {treeScheme{entries: with("t/", item("file://host/t/x"))}, nil, scheme.CodeUnsupported},
		"deeper":                        {treeScheme{entries: with("t/", item("file:///t/sub/x"))}, nil, scheme.CodeUnsupported},
		"itself":                        {treeScheme{entries: with("t/", item("file:///t/"))}, nil, scheme.CodeUnsupported},
		"parent":                        {treeScheme{entries: with("t/sub/", item("file:///t/sub/%2E%2E/"))}, nil, scheme.CodeUnsupported},
		"a slash":                       {treeScheme{entries: with("t/", item("file:///t/a%2Fb"))}, nil, scheme.CodeUnsupported},
		"an unread line":                {treeScheme{entries: with("t/sub/", scheme.Entry{Kind: scheme.KindNote, Unread: true})}, nil, scheme.CodeUnsupported},
		"a line of text":                {treeScheme{entries: with("t/sub/", scheme.Entry{Kind: scheme.KindNote})}, []string{"t/a", "t/sub/b", "t/sub/", "t/link", "t/"}, scheme.CodeOK},
		"a list that fails":             {treeScheme{entries: with("t/", item("file:///t/nolist/"))}, nil, scheme.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &tt.d
			d.fake = fake{name: "file"}
			c := client.New(client.Options{Registry: scheme.NewRegistry(d)})
			defer c.Close()
			dry, real := 0, 0
			err := RemoveAll(t.Context(), c, scheme.Request{URL: parse("file:///t/")}, RemoveAllOptions{DryRun: true, Removed: func(locator.URL, bool) { dry++ }})
			if len(d.removed) > 0 || err != nil && tt.code == scheme.CodeOK {
				t.Errorf("a dry run removed %q, %v", d.removed, err)
			}
			err = RemoveAll(t.Context(), c, scheme.Request{URL: parse("file:///t/")}, RemoveAllOptions{Removed: func(locator.URL, bool) { real++ }})
			if client.CodeOf(err) != tt.code || !slices.Equal(d.removed, tt.want) || real != len(tt.want) {
				t.Errorf("removed %q, %v; want %q and %v", d.removed, err, tt.want, tt.code)
			}
			if err == nil && len(d.links) == 0 && dry != real {
				t.Errorf("a dry run tells %d, then there were %d", dry, real)
			}
		})
	}
}

// A URL without a slash at the end is first removed as a file: if the server does not say why that
// failed, nothing in it is removed.
//
// Covers: A15, P6
func TestRemoveAllWithoutSlash(t *testing.T) {
	t.Parallel()
	list := []scheme.Entry{item("file:///t/a"), item("file:///t/sub/")}
	tree := map[string][]scheme.Entry{"t": list, "t/": list, "t/sub/": {item("file:///t/sub/b")}}
	const hint = "it may be a link"
	for name, tt := range map[string]struct {
		d    treeScheme
		want []string // what is removed, in order
		code scheme.Code
		hint bool
	}{
		"a tree":             {treeScheme{entries: tree}, []string{"t/a", "t/sub/b", "t/sub/", "t/"}, scheme.CodeOK, false},
		"a link":             {treeScheme{entries: tree, links: map[string]bool{"t/": true}}, []string{"t"}, scheme.CodeOK, false},
		"no reply":           {treeScheme{entries: tree, unsaid: []string{"t"}}, nil, scheme.CodeInDoubt, false},
		"not now":            {treeScheme{entries: tree, unsaid: []string{"t"}, code: scheme.CodeUnavailable}, nil, scheme.CodeUnavailable, true},
		"not now, below":     {treeScheme{entries: tree, unsaid: []string{"t/sub"}, code: scheme.CodeUnavailable}, []string{"t/a"}, scheme.CodeUnavailable, true},
		"not allowed, below": {treeScheme{entries: tree, denied: []string{"t/sub"}}, []string{"t/a"}, scheme.CodeLoginNeeded, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &tt.d
			d.fake = fake{name: "file"}
			c := client.New(client.Options{Registry: scheme.NewRegistry(d)})
			defer c.Close()
			r, dry := scheme.Request{URL: parse("file:///t")}, 0
			if err := RemoveAll(t.Context(), c, r, RemoveAllOptions{DryRun: true, Removed: func(locator.URL, bool) { dry++ }}); err != nil || dry != 4 || len(d.removed) > 0 {
				t.Errorf("a dry run tells %d and removed %q, %v", dry, d.removed, err)
			}
			err := RemoveAll(t.Context(), c, r, RemoveAllOptions{})
			if client.CodeOf(err) != tt.code || !slices.Equal(d.removed, tt.want) || strings.Contains(fmt.Sprint(err), hint) != tt.hint {
				t.Errorf("removed %q, %v; want %q and %v", d.removed, err, tt.want, tt.code)
			}
		})
	}
}

// A directory that a caller has found in a tree may be a link, as those below it.
//
// Covers: A15, P6
func TestRemoveAllWithin(t *testing.T) {
	t.Parallel()
	d := &treeScheme{fake: fake{name: "file"}, unsaid: []string{"t"}, entries: map[string][]scheme.Entry{"t/": {item("file:///t/a")}}}
	c := client.New(client.Options{Registry: scheme.NewRegistry(d)})
	defer c.Close()
	err := RemoveAll(t.Context(), c, scheme.Request{URL: parse("file:///t/"), Within: parse("file:///")}, RemoveAllOptions{})
	if client.CodeOf(err) != scheme.CodeInDoubt || len(d.removed) > 0 {
		t.Errorf("removed %q, %v", d.removed, err)
	}
}

// What RemoveAll keeps of the listings takes bounded memory, all of them together.
//
// Covers: A15, P6, T115
func TestRemoveAllMemory(t *testing.T) {
	t.Parallel()
	d := &treeScheme{fake: fake{name: "file"}, entries: map[string][]scheme.Entry{
		"t/":     {item("file:///t/a"), item("file:///t/sub/")},
		"t/sub/": {item("file:///t/sub/b")},
	}}
	c := client.New(client.Options{Registry: scheme.NewRegistry(d)})
	defer c.Close()
	for room, code := range map[int]scheme.Code{3*nodeCost + 5: scheme.CodeOK, 3*nodeCost + 4: scheme.CodeUnsupported, nodeCost: scheme.CodeUnsupported} {
		w := &removal{c: c, r: scheme.Request{URL: parse("file:///t/")}, room: room, top: parse("file:///t/")}
		if err := w.read(t.Context(), w.top, &node{dir: true}, "", 0); client.CodeOf(err) != code || w.refused != (code != scheme.CodeOK) {
			t.Errorf("%d bytes: %v", room, err)
		}
	}
}

// What cannot be removed with all that is in it is an error of the removal, before anything is
// sent.
//
// Covers: A15
func TestRemoveAllRefused(t *testing.T) {
	t.Parallel()
	d := &treeScheme{fake: fake{name: "file"}, entries: map[string][]scheme.Entry{"t/": {item("file:///t/a")}}}
	refuses := &asked{url: func(u locator.URL, _ scheme.Hop) error {
		if strings.HasSuffix(u.Text(), "/t/") {
			return scheme.Fail(scheme.CodeRefused, "no")
		}
		return nil
	}}
	c := client.New(client.Options{Registry: scheme.NewRegistry(d, fake{name: "gopher"}), Policy: refuses})
	defer c.Close()
	for url, code := range map[string]scheme.Code{"file:///t/": scheme.CodeRefused, "gopher://h/1/t": scheme.CodeUnsupported, "ftp://h/t/": scheme.CodeUnsupported} {
		err := RemoveAll(t.Context(), c, scheme.Request{URL: parse(url)}, RemoveAllOptions{})
		e, ok := errors.AsType[*scheme.Error](err)
		if !ok || e.Code != code || e.Op != scheme.OpRemove || len(d.removed) > 0 {
			t.Errorf("%s: removed %q, %v", url, d.removed, err)
		}
	}
}
