package check

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"locator"
	"locator/scheme"
)

// The links of a page are followed if its URL and the URL that it is found at are in the scope.
func TestFollowed(t *testing.T) {
	t.Parallel()
	pages := map[string]string{ // with the links of each, or where it redirects to
		"a.example/docs":      "in out http://b.example/out http://b.example/back",
		"a.example/docs/in":   "seen",
		"a.example/docs/out":  "=http://b.example/page",
		"b.example/page":      "http://a.example/not1",
		"b.example/out":       "http://a.example/not2",
		"b.example/back":      "=http://a.example/docs/in2",
		"a.example/docs/in2":  "http://a.example/not3",
		"a.example/docs/seen": "deep",
	}
	want := []string{
		"http://a.example/docs", "http://a.example/docs/in", "http://a.example/docs/out", "http://a.example/docs/seen", "http://b.example/back",
		"http://b.example/out",
	}
	synctest.Test(t, func(t *testing.T) {
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			text := strings.TrimPrefix(u.Text(), "http://")
			if to, ok := strings.CutPrefix(pages[text], "="); ok {
				return &scheme.Resource{URL: u, Kind: scheme.KindReferral, Next: []scheme.Entry{{URL: locator.MustParse(to)}}}, nil
			}
			html := `<base href="http://a.example/docs/">`
			for _, link := range strings.Fields(pages[text]) {
				html += "<a href='" + link + "'>x</a>"
			}
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html; charset=utf-8"}, Body: io.NopCloser(strings.NewReader(html))}, nil
		}).client(t)
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in := &Input{Run: r, Checker: &Checker{Client: c}, Depth: 2}
		if err := in.Add(t.Context(), "http://a.example/docs", Place{}); err != nil {
			t.Fatal(err)
		}
		if err := in.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		w := &Worker{Checker: &Checker{Client: c, Scope: Scope{"http://a.example/docs/"}}}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, res := range resultsOf(t, r) {
			got = append(got, res.URL)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("checked %q, want %q", got, want)
		}
	})
}

// Of a page with very many links, the first are checked.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	var html strings.Builder
	for i := range maxLinks + 10 {
		fmt.Fprintf(&html, "<a href=%d>", i)
	}
	client := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
		return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(html.String()))}, nil
	}).client(t)
	c := &Checker{Client: client, Scope: Scope{"http://a.example/"}}
	u := locator.MustParse("http://a.example/")
	found := &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}}
	links := c.links(t.Context(), new(machine), Task{Depth: 1}, u, &page{found: found}, nil)
	if n := len(links); n != maxLinks || links[n-1].URL != fmt.Sprintf("http://a.example/%d", maxLinks-1) {
		t.Errorf("%d links, want %d", n, maxLinks)
	}
}

// The links of a page are followed although the fragment from which they are followed is missing,
// and the second attempt at it fails.
func TestFollowedWithoutFragment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			if path, _ := u.Path(); path != "page" {
				return there(u)
			}
			if asked++; asked > 1 {
				return nil, scheme.Fail(scheme.CodeUnavailable, "not now")
			}
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader("<a id=here href=next>"))}, nil
		}).client(t)
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var links []Link
		for _, fragment := range []string{"none", "here"} {
			l := NewLink(c, locator.Current.Parse, "http://a.example/page#"+fragment, Place{}, true)
			l.Depth = 1
			links = append(links, l)
		}
		if _, err := r.Add(t.Context(), links); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		w := &Worker{Checker: &Checker{Client: c, Fragments: true, Scope: Scope{"http://a.example/"}}, Parallel: 1}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, res := range resultsOf(t, r) {
			got = append(got, fmt.Sprintf("%s %s", res.URL, res.Verdict))
		}
		if want := []string{"http://a.example/page#none unsure", "http://a.example/page#here ok", "http://a.example/next ok"}; !slices.Equal(got, want) {
			t.Errorf("checked %q, want %q", got, want)
		}
	})
}
