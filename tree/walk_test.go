package tree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher"
	web "locator/scheme/http"
)

// forest is a scheme whose listings come from entries. It records the requests.
type forest struct {
	name    string
	entries func(u string) (list []scheme.Entry, err error)
	robots  func(u string) (*scheme.Resource, error)
	asked   []scheme.Request
}

func (f *forest) Syntax() *locator.Syntax { return locator.SyntaxOf(f.name) }

func (f *forest) Access(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	f.asked = append(f.asked, r)
	return f.robots(r.URL.Text())
}

func (f *forest) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	f.asked = append(f.asked, r)
	list, err := f.entries(r.URL.Text())
	if to, ok := errors.AsType[*movedTo](err); ok {
		return refer(to.url), nil
	}
	return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(scheme.Entry{}, err)
		}
	}}, nil
}

// movedTo is an error of entries that makes the listing a referral.
type movedTo struct{ url string }

func (*movedTo) Error() string { return "moved" }

// robotForest is a forest whose servers have a robots.txt.
type robotForest struct {
	*forest
	scheme.RobotsChecker
}

// entry returns an entry for url: a folder if url ends in a slash, else a file.
func entry(url string) scheme.Entry {
	e := scheme.Entry{Name: url[strings.LastIndexByte(strings.TrimRight(url, "/"), '/')+1:], URL: parse(url), Kind: scheme.KindObject}
	if strings.HasSuffix(url, "/") || strings.Contains(url, "/1/") {
		e.Kind = scheme.KindListing
	}
	return e
}

func entries(urls ...string) (list []scheme.Entry) {
	for _, u := range urls {
		list = append(list, entry(u))
	}
	return list
}

// inMap returns an entries function for a map of listings.
func inMap(m map[string][]string) func(string) ([]scheme.Entry, error) {
	return func(u string) ([]scheme.Entry, error) {
		list, ok := m[u]
		if !ok {
			return nil, scheme.Fail(scheme.CodeNotFound, "no such folder")
		}
		return entries(list...), nil
	}
}

// walked returns the paths that a walk visits and the URLs that it skips.
func walked(t *testing.T, s scheme.Scheme, url string, o WalkOptions) (paths, leftOut []string) {
	t.Helper()
	c := client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}})
	o.LeftOut = func(u locator.URL, why string) { leftOut = append(leftOut, u.Text()+": "+why) }
	for v := range Walk(t.Context(), c, scheme.Request{URL: parse(url)}, o) {
		text := strings.Join(v.Path, "|")
		if v.Err != nil {
			text += " " + client.CodeOf(v.Err).String()
		}
		paths = append(paths, text)
	}
	return paths, leftOut
}

func wantPaths(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Covers: S19, P6, T38, T118
func TestWalkStaysBelow(t *testing.T) {
	t.Parallel()
	s := &forest{name: "ftp", entries: inMap(map[string][]string{
		"ftp://h/a/b/": {
			"ftp://h/a/b/one", "ftp://h/a/b/sub/", "ftp://H:21/a/b/%74wo", "ftp://h/a/b/deep/er/three",
			"ftp://h/a/c", "ftp://h/a/b", "ftp://h/a/b/", "ftp://other/a/b/x", "ftp://h:2121/a/b/x", "ftp://h/a/bb", "ftp://h/",
			"ftp://h/a/b/../c", "ftp://h/a/b/..", "ftp://h/a/b/./c", "ftp://h/a/b/%2Fetc/passwd", "ftp://h/a/b/%2E%2E%2Fx", "ftp://h/a/b/x%00y",
			"ftp://h/a/b//x", "ftp://h/%2Fa/b/x",
		},
		"ftp://h/a/b/sub/": {"ftp://h/a/b/sub/four", "ftp://h/a/b/one", "ftp://h/a/b/other/", "ftp://h/a/b/sub/"},
	})}
	paths, leftOut := walked(t, s, "ftp://h/a/b/", WalkOptions{})
	wantPaths(t, "walked", paths, "one", "sub", "two", "deep|er|three", "sub|four", "other", "other not found")
	if len(leftOut) != 15 {
		t.Errorf("%d left out: %q", len(leftOut), leftOut)
	}
}

// A root URL without a final slash is a folder if the entries are below it, else a page.
func TestWalkRoots(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		root string
		list []string
		want []string
	}{
		{"ftp://h", []string{"ftp://h/x", "ftp://h/%2Fx"}, []string{"x"}},
		{"ftp://h/", []string{"ftp://h/x", "ftp://h/../x"}, []string{"x"}},
		{"ftp://h/a", []string{"ftp://h/a/x", "ftp://h/b"}, []string{"x"}},
		{"ftp://h/a;type=d", []string{"ftp://h/a/x", "ftp://h/b"}, []string{"x"}},
		{"ftp://h/%2F/", []string{"ftp://h/%2F/x", "ftp://h/x"}, []string{"x"}},
		{"http://h", []string{"http://h/x"}, []string{"x"}},
		{"http://h/a/index.html", []string{"http://h/a/x", "http://h/b", "http://h/a/y?z=1"}, []string{"x", "y?z=1"}},
		{"http://h/%7Ejoe/", []string{"http://h/~joe/x", "http://h/%7ejoe/y"}, []string{"x", "y"}},
		{"file:///a/", []string{"file:///a/x", "file:///b", "file://localhost/a/y"}, []string{"x", "y"}},
		{"gopher://h/1/a", []string{"gopher://h/0/b/x", "gopher://other/0/x", "gopher://h/0"}, []string{"x", "0"}},
	} {
		s := &forest{name: parse(test.root).Scheme(), entries: func(string) ([]scheme.Entry, error) { return entries(test.list...), nil }}
		paths, _ := walked(t, s, test.root, WalkOptions{Depth: 1})
		wantPaths(t, test.root, paths, test.want...)
	}
}

// A listing with lines that could not be read is an error after its entries.
//
// Covers: A4
func TestWalkIncomplete(t *testing.T) {
	t.Parallel()
	s := &forest{name: "ftp", entries: func(u string) ([]scheme.Entry, error) {
		if u == "ftp://h/sub/" {
			return entries("ftp://h/sub/y"), nil
		}
		list := entries("ftp://h/x", "ftp://h/sub/")
		return append(list, scheme.Entry{Name: "what?", Kind: scheme.KindNote, Unread: true}, scheme.Entry{Name: "why?", Kind: scheme.KindNote, Unread: true}), nil
	}}
	paths, _ := walked(t, s, "ftp://h/", WalkOptions{})
	wantPaths(t, "incomplete", paths, "x", "sub", " unsupported", "sub|y")
	c := client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}})
	for v := range Walk(t.Context(), c, scheme.Request{URL: parse("ftp://h/")}, WalkOptions{}) {
		if v.Err != nil && !errors.Is(v.Err, ErrIncomplete) {
			t.Error(v.Err)
		}
	}
}

// Covers: T118
func TestWalkDepth(t *testing.T) {
	t.Parallel()
	endless := &forest{name: "ftp", entries: func(u string) ([]scheme.Entry, error) {
		e := entry(u + "d/")
		e.Attr.Modified = time.Unix(int64(len(u)), 0)
		return []scheme.Entry{e}, nil
	}}
	for _, depth := range []int{1, 2, 5, 0} {
		endless.asked = nil
		paths, _ := walked(t, endless, "ftp://h/", WalkOptions{Depth: depth})
		want := depth
		if depth == 0 {
			want = DefaultDepth
		}
		if len(paths) != want || len(endless.asked) != want {
			t.Errorf("depth %d: %d paths, %d listings", depth, len(paths), len(endless.asked))
		}
	}
	paths, _ := walked(t, endless, "ftp://h/", WalkOptions{Enter: func(v Visit) bool { return len(v.Path) < 3 }})
	wantPaths(t, "Enter", paths, "d", "d|d", "d|d|d")
}

// A walk leaves a folder that contains a link to itself, also if there are several such links.
//
// Covers: T118
func TestWalkLoops(t *testing.T) {
	t.Parallel()
	s := &forest{name: "ftp", entries: func(u string) ([]scheme.Entry, error) {
		return entries(u+"file", u+"here/", u+"again/"), nil
	}}
	paths, leftOut := walked(t, s, "ftp://h/", WalkOptions{})
	if len(paths) > 50 || len(leftOut) == 0 || !strings.Contains(leftOut[0], "loop") {
		t.Errorf("%d paths, %q", len(paths), leftOut)
	}
	// menus that link to each other are each read once
	s = &forest{name: "gopher", entries: inMap(map[string][]string{
		"gopher://h/1/a": {"gopher://h/1/b", "gopher://h/0/c"},
		"gopher://h/1/b": {"gopher://h/1/a", "gopher://h/1/b", "gopher://h/0/c", "gopher://h/0/d"},
	})}
	paths, _ = walked(t, s, "gopher://h/1/a", WalkOptions{})
	wantPaths(t, "menus", paths, "b", "c", "b|d")
}

// A folder that equals an enclosing one is not yet a loop.
func TestWalkNoLoop(t *testing.T) {
	t.Parallel()
	s := &forest{name: "ftp", entries: inMap(map[string][]string{
		"ftp://h/": {"ftp://h/x/"}, "ftp://h/x/": {"ftp://h/x/x/"}, "ftp://h/x/x/": {"ftp://h/x/x/file"},
	})}
	paths, leftOut := walked(t, s, "ftp://h/", WalkOptions{})
	wantPaths(t, "walked", paths, "x", "x|x", "x|x|file")
	wantPaths(t, "left out", leftOut)
}

// A listing that fails or breaks off is reported, after its entries, and the walk continues.
func TestWalkErrors(t *testing.T) {
	t.Parallel()
	s := &forest{name: "ftp", entries: func(u string) ([]scheme.Entry, error) {
		switch u {
		case "ftp://h/":
			return entries("ftp://h/a/", "ftp://h/b/", "ftp://h/c/"), nil
		case "ftp://h/a/":
			return nil, scheme.Fail(scheme.CodeLoginNeeded, "no")
		case "ftp://h/b/":
			return entries("ftp://h/b/x"), scheme.Fail(scheme.CodeBroken, "torn")
		}
		return entries("ftp://h/c/y"), nil
	}}
	paths, _ := walked(t, s, "ftp://h/", WalkOptions{})
	wantPaths(t, "walked", paths, "a", "b", "c", "a login needed or refused", "b|x", "b broken off", "c|y")
	n := 0
	for range Walk(t.Context(), client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}}), scheme.Request{URL: parse("ftp://h/")}, WalkOptions{}) {
		if n++; n == 2 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n = 0
	for range Walk(ctx, client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}}), scheme.Request{URL: parse("ftp://h/")}, WalkOptions{}) {
		n++
		cancel()
	}
	if n > 4 {
		t.Errorf("%d visits after the end", n)
	}
}

// The policy checks each listing as an item of the enclosing menu. Redirects of folders are
// followed; after a redirect to another server, that server does not get the login of the first.
//
// Covers: P1, P3
func TestWalkHops(t *testing.T) {
	t.Parallel()
	var hops []string
	p := &asked{url: func(u locator.URL, h scheme.Hop) error {
		hops = append(hops, fmt.Sprint(u.Text(), " ", h.Kind, " ", h.N, " ", h.From.Text(), " ", h.Foreign))
		if strings.HasSuffix(u.Text(), "secret/") {
			return scheme.Fail(scheme.CodeRefused, "no")
		}
		return nil
	}}
	moved := func(to string) error { return &movedTo{to} }
	s := &forest{name: "http", entries: func(u string) ([]scheme.Entry, error) {
		switch u {
		case "http://h/a":
			return nil, moved("http://h/a/")
		case "http://h/a/":
			return entries("http://h/a/b/", "http://h/a/secret/"), nil
		case "http://h/x":
			return nil, moved("http://g/x/")
		case "http://g/x/":
			return entries("http://g/x/y/"), nil
		}
		return entries(u + "file"), nil
	}}
	c := client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: p})
	for _, root := range []string{"http://h/a", "http://h/x"} {
		var got []string
		for v := range Walk(t.Context(), c, scheme.Request{URL: parse(root)}, WalkOptions{}) {
			text := fmt.Sprint(v.Entry.URL.Text(), " ", v.From.Foreign)
			if v.Err != nil {
				text = client.CodeOf(v.Err).String()
			}
			got = append(got, text)
		}
		if root == "http://h/a" {
			wantPaths(t, root, got, "http://h/a/b/ false", "http://h/a/secret/ false", "http://h/a/b/file false", "refused by policy")
		} else {
			wantPaths(t, root, got, "http://g/x/y/ true", "http://g/x/y/file true")
		}
	}
	const item, redirect = "2", "1"
	wantPaths(t, "policy", hops,
		"http://h/a 0 0  false", "http://h/a/ "+redirect+" 1 http://h/a false", "http://h/a/b/ "+item+" 1 http://h/a/ false", "http://h/a/secret/ "+item+" 1 http://h/a/ false",
		"http://h/x 0 0  false", "http://g/x/ "+redirect+" 1 http://h/x false", "http://g/x/y/ "+item+" 1 http://g/x/ true")
}

// The walk obeys robots.txt of http and gopher servers; ftp has none. A robots.txt that is
// unavailable disallows everything.
//
// Covers: K2
func TestWalkRobots(t *testing.T) {
	t.Parallel()
	const rules = "User-agent: *\nDisallow: /\n\nUser-agent: locator\nDisallow: /a/private\nDisallow: /a/x?\n"
	lists := map[string][]string{
		"http://h:8080/a/": {"http://h:8080/a/one", "http://h:8080/a/%70rivate/", "http://h:8080/a/private.txt", "http://h:8080/a/x?y"},
		"gopher://h/1/a":   {"gopher://h/0/a/one", "gopher://h/1/a/private/", "gopher://h/0a/private.txt", "gopher://h/0/a/x"},
	}
	checkers := map[string]scheme.RobotsChecker{"http": web.New("http"), "gopher": gopher.New()}
	for url, place := range map[string]string{"http://h:8080/a/": "http://h:8080/robots.txt", "gopher://h/1/a": "gopher://h/0robots.txt"} {
		for _, test := range []struct {
			name   string
			answer func() (*scheme.Resource, error)
			robots string
			want   int
		}{
			{"rules", func() (*scheme.Resource, error) { return text(rules), nil }, "locator", 1},
			{"not heeded", nil, "", 4},
			{"other robot", func() (*scheme.Resource, error) { return text(rules), nil }, "other", 0},
			{"none there", func() (*scheme.Resource, error) { return nil, scheme.Fail(scheme.CodeNotFound, "404") }, "locator", 4},
			{"not for us", func() (*scheme.Resource, error) { return nil, scheme.Fail(scheme.CodeLoginNeeded, "401") }, "locator", 4},
			{"not now", func() (*scheme.Resource, error) { return nil, scheme.Fail(scheme.CodeUnavailable, "503") }, "locator", 0},
			{"torn", func() (*scheme.Resource, error) { return nil, scheme.Fail(scheme.CodeBroken, "torn") }, "locator", 0},
			{"no file", func() (*scheme.Resource, error) { return &scheme.Resource{Kind: scheme.KindListing}, nil }, "locator", 4},
		} {
			asked := 0
			s := &forest{name: parse(url).Scheme(), entries: inMap(lists), robots: func(u string) (*scheme.Resource, error) {
				if asked++; u != place {
					t.Errorf("%s: robots.txt requested at %s", url, u)
				}
				return test.answer()
			}}
			paths, leftOut := walked(t, robotForest{s, checkers[s.name]}, url, WalkOptions{Depth: 1, Robots: test.robots})
			want := test.want
			if s.name == "gopher" && test.name == "rules" {
				want = 2 // a search is not part of a selector
			}
			if len(paths) != want || len(leftOut) != 4-want || asked > 1 {
				t.Errorf("%s, %s: %q, %d questions", url, test.name, paths, asked)
			}
		}
	}
	s := &forest{name: "ftp", entries: inMap(map[string][]string{"ftp://h/": {"ftp://h/x"}})}
	paths, _ := walked(t, s, "ftp://h/", WalkOptions{Robots: "locator"})
	wantPaths(t, "ftp", paths, "x")
}

// The entries of a listing are visited after it has been read and its connection is free; of a long
// one, the first are held and the rest come as they arrive. Listing is called where each listing
// begins and ends.
func TestWalkListing(t *testing.T) {
	t.Parallel()
	n := 3
	s := &forest{name: "ftp", entries: func(u string) (list []scheme.Entry, err error) {
		if u != "ftp://h/" {
			return entries(u + "x"), errors.New("it breaks off")
		}
		list = entries("ftp://h/sub/")
		for i := range n {
			list = append(list, entry(fmt.Sprint("ftp://h/f", i)))
		}
		return list, nil
	}}
	for _, n = range []int{3, 0, maxHeld - 1, maxHeld + 1} {
		var events []string
		o := WalkOptions{Listing: func(u locator.URL) func() {
			events = append(events, "begin "+u.SchemePart())
			return func() { events = append(events, "end "+u.SchemePart()) }
		}}
		visits, failed := 0, 0
		for v := range Walk(t.Context(), client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}}), scheme.Request{URL: parse("ftp://h/")}, o) {
			if visits++; v.Err != nil {
				failed++
			}
			if e := events[len(events)-1]; !strings.HasPrefix(e, "end ") {
				t.Fatalf("%d entries: visit %d comes after %q", n, visits, e)
			}
		}
		want := []string{"begin //h/", "end //h/", "begin //h/sub/", "end //h/sub/"}
		if !slices.Equal(events, want) || visits != n+3 || failed != 1 {
			t.Errorf("%d entries: %d visits, %d failures, %q", n, visits, failed, events)
		}
	}
	n = maxHeld + 5
	visits := 0
	for range Walk(t.Context(), client.New(client.Options{Registry: scheme.NewRegistry(s), Policy: &asked{}}), scheme.Request{URL: parse("ftp://h/")}, WalkOptions{}) {
		if visits++; visits == maxHeld+2 {
			break
		}
	}
}

// wide is a tree whose folders have folders without end.
type wide struct{ fake }

func (wide) List(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		for i := range 1_000_000 {
			name := strconv.Itoa(i)
			u, err := r.URL.JoinPath(name, "")
			if !yield(scheme.Entry{Name: name, URL: u, Kind: scheme.KindListing}, err) {
				return
			}
		}
	}}, nil
}

// A server chooses how many folders there are. Those that are still to be listed take bounded
// memory.
//
// Covers: P6, T90
func TestWalkWide(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: scheme.NewRegistry(wide{fake{name: "ftp"}})})
	defer c.Close()
	n := 0
	for v := range Walk(t.Context(), c, scheme.Request{URL: parse("ftp://192.0.2.1/")}, WalkOptions{}) {
		if v.Err != nil {
			if client.CodeOf(v.Err) != scheme.CodeBroken || !strings.Contains(v.Err.Error(), "too many folders") {
				t.Error(v.Err)
			}
			break
		}
		n++
	}
	if n < 10_000 || n > 200_000 {
		t.Errorf("%d folders before the limit", n)
	}
}
