package local_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/check/local"
	"locator/find/search"
)

// site makes files in a new folder.
func site(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTarget(t *testing.T) {
	t.Parallel()
	dir := site(t, map[string]string{"index.html": "", "a.html": "", "sub/index.html": "", "sub/b c.md": "", "empty/x.txt": "", "dotted.v1.html": ""})
	at := "file://" + filepath.ToSlash(dir)
	base := locator.Current.MustParse("https://site.example/docs")
	for _, x := range []struct {
		m    local.Map
		from string
		want string // "" is not ok; "=" is from
	}{
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/a.html", at + "/a.html"},
		{local.Map{Root: dir, Base: base}, "https://SITE.example:443/docs/a.html?x=1#frag", at + "/a.html#frag"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/", at + "/index.html"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/a", at + "/a.html"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/dotted.v1", at + "/dotted.v1.html"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/sub#x", at + "/sub/index.html#x"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/sub/b%20c", at + "/sub/b%20c.md"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/empty/", at + "/empty"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/none", at + "/none"},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/%2e%2e/x", ""},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/..%2fx", ""},
		{local.Map{Root: dir, Base: base}, "https://site.example/docs/a%00", ""},
		{local.Map{Root: dir, Base: base}, "https://site.example/other", "="},
		{local.Map{Root: dir, Base: base}, "http://site.example/docs/", "="},
		{local.Map{Root: dir, Base: base}, "https://site.example:81/docs/", "="},
		{local.Map{Root: dir, Base: base}, "mailto:a@b", "="},
		{local.Map{Base: base}, "https://site.example/docs/a", "="},
		{local.Map{}, at + "/a#x", at + "/a.html#x"},
		{local.Map{}, at + "/sub/", at + "/sub/index.html"},
		{local.Map{}, at + "/none", "="},
		{local.Map{}, "file://elsewhere/a", "="},
		{local.Map{Suffixes: []string{}}, at + "/a", "="},
		{local.Map{Rules: []local.Rule{{"https://h/x/", dir + "/sub/"}}}, "https://h/x/b%20c.md?q#f", at + "/sub/b%20c.md#f"},
		{local.Map{Rules: []local.Rule{{"https://h/x/", "http://localhost:1313/"}}}, "https://h/x/a/b#f", "http://localhost:1313/a/b#f"},
		{local.Map{Rules: []local.Rule{{"https://h/x/", dir}}}, "https://h/x/../y", ""},
		{local.Map{Rules: []local.Rule{{"https://h/x/", "."}}}, "https://h/y/", "="},
	} {
		to, ok := x.m.Target(locator.Current.MustParse(x.from), "", "")
		if x.want == "=" {
			x.want = x.from
		}
		if ok != (x.want != "") || ok && to.Text() != x.want {
			t.Errorf("%s: %v %v, want %q", x.from, to.Text(), ok, x.want)
		}
	}
}

// The references in files lead to files, whatever a document calls its base.
func TestReferences(t *testing.T) {
	t.Parallel()
	dir := site(t, map[string]string{
		"index.html": "", "guide/index.html": "", "img.png": "",
		"guide/page.html":  `<a href="/">top</a> <a href="../img.png"> <a href="#here"> <a href=page#there> <a href="//cdn.example/x"> <a href="javascript:void(0)"> <a href="?q"> <a href=""> <a href="#"> <img srcset="/img.png 2x"> <a href="../../out.html">`,
		"guide/based.html": `<base href="/"><a href="img.png">`,
		"guide/doc.md":     "[a](page.html) [b](#part) ![c](/img.png \"t\") [d][e] [f](https://h.example/) [g]({{ x }})\n\n[e]: ../guide/\n",
	})
	at := "file://" + filepath.ToSlash(dir)
	for name, x := range map[string]struct {
		m    local.Map
		want []string
	}{
		"root": {local.Map{Root: dir}, []string{
			at + "/index.html", at + "/img.png",
			at + "/guide/page.html", at + "/guide/doc.md#part", at + "/img.png", "https://h.example/", at + "/guide/index.html",
			at + "/index.html", at + "/img.png", at + "/guide/page.html#here", at + "/guide/page.html#there", "http://cdn.example/x", at + "/guide/page.html", at + "/img.png", at + "/out.html",
		}},
		"no root": {local.Map{}, []string{
			at + "/guide/page.html", at + "/guide/doc.md#part", "https://h.example/", at + "/guide/index.html",
			at + "/img.png", at + "/guide/page.html#here", at + "/guide/page.html#there", at + "/guide/page.html",
			"file://" + filepath.ToSlash(filepath.Dir(dir)) + "/out.html",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			s := &search.Search{Base: x.m.URL}
			for m, err := range s.All(t.Context(), filepath.Join(dir, "guide")) {
				if err != nil {
					t.Fatal(err)
				}
				u, err := locator.Current.Parse(m.Find.Find.Text())
				if err != nil {
					t.Fatal(err)
				}
				if to, ok := x.m.Target(u, m.Reference, m.Text.Name); ok {
					got = append(got, to.Text())
				}
			}
			if !slices.Equal(got, x.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(x.want, "\n"))
			}
		})
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base := locator.Current.MustParse("https://site.example/docs/")
	for _, x := range []struct {
		m          local.Map
		name, want string
	}{
		{local.Map{Root: dir, Base: base}, filepath.Join(dir, "a b", "c#d.html"), "https://site.example/docs/a%20b/c%23d.html"},
		{local.Map{Root: dir, Base: base}, filepath.Join(filepath.Dir(dir), "x"), "file://" + filepath.ToSlash(filepath.Dir(dir)) + "/x"},
		{local.Map{Base: base}, "x.md", "https://site.example/docs/"},
		{local.Map{Base: base}, "-", "https://site.example/docs/"},
		{local.Map{}, "-", ""},
	} {
		if got := x.m.URL(x.name).Text(); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := "file://" + filepath.ToSlash(dir)
	for text, want := range map[string]bool{at + "/x": true, at: true, at + "/x/../../y": false, at + "x": false, at + "/%2e%2e/y": false, at + "/..%2fy": false, "http://h/": false} {
		if got := local.Within(locator.Current.MustParse(text), "nothing", dir); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestParseRule(t *testing.T) {
	t.Parallel()
	if r, err := local.ParseRule(" https://h/  ./my site/ "); err != nil || r != (local.Rule{From: "https://h/", To: "./my site/"}) {
		t.Errorf("%+v, error %v", r, err)
	}
	for _, text := range []string{"", "x", "x "} {
		if _, err := local.ParseRule(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
