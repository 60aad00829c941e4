package localsite_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/find/search"
	"locator/internal/localsite"
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
		m    localsite.Map
		from string
		want string // "" is not ok; "=" is from
	}{
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/a.html", at + "/a.html"},
		{localsite.Map{Root: dir, Base: base}, "https://SITE.example:443/docs/a.html?x=1#frag", at + "/a.html#frag"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/", at + "/index.html"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/a", at + "/a.html"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/dotted.v1", at + "/dotted.v1.html"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/sub#x", at + "/sub/index.html#x"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/sub/b%20c", at + "/sub/b%20c.md"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/empty/", at + "/empty"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/none", at + "/none"},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/%2e%2e/x", ""},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/..%2fx", ""},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/docs/a%00", ""},
		{localsite.Map{Root: dir, Base: base}, "https://site.example/other", "="},
		{localsite.Map{Root: dir, Base: base}, "http://site.example/docs/", "="},
		{localsite.Map{Root: dir, Base: base}, "https://site.example:81/docs/", "="},
		{localsite.Map{Root: dir, Base: base}, "mailto:a@b", "="},
		{localsite.Map{Base: base}, "https://site.example/docs/a", "="},
		{localsite.Map{}, at + "/a#x", at + "/a.html#x"},
		{localsite.Map{}, at + "/sub/", at + "/sub/index.html"},
		{localsite.Map{}, at + "/none", "="},
		{localsite.Map{}, "file://elsewhere/a", "="},
		{localsite.Map{Suffixes: []string{}}, at + "/a", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/x/", dir + "/sub/"}}}, "https://h/x/b%20c.md?q#f", at + "/sub/b%20c.md#f"},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/x/", "http://localhost:1313/"}}}, "https://h/x/a/b#f", "http://localhost:1313/a/b#f"},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/x/", dir}}}, "https://h/x/../y", ""},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/x/", "."}}}, "https://h/y/", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h", dir}}}, "https://h/a.html", at + "/a.html"},
		{localsite.Map{Rules: []localsite.Rule{{"https://h", dir}}}, "https://h", at + "/index.html"},
		{localsite.Map{Rules: []localsite.Rule{{"https://h", dir}}}, "https://h.evil/a.html", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h", dir}}}, "https://h:81/a.html", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h", dir}}}, "https://h@evil/a.html", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/s", dir + "/sub"}}}, "https://h/sub/index.html", "="},
		{localsite.Map{Rules: []localsite.Rule{{"https://h/?p=", dir + "/"}}}, "https://h/?p=a.html", at + "/a.html"},
	} {
		to, ok := x.m.Target(locator.Current.MustParse(x.from), "", "a.md")
		if x.want == "=" {
			x.want = x.from
		}
		if ok != (x.want != "") || ok && to.Text() != x.want {
			t.Errorf("%s: %v %v, want %q", x.from, to.Text(), ok, x.want)
		}
		named, ok := x.m.Target(locator.Current.MustParse(x.from), "", "")
		if strings.HasPrefix(x.from, "file:") {
			x.want = x.from
		}
		if ok != (x.want != "") || ok && named.Text() != x.want {
			t.Errorf("%s, named: %v %v, want %q", x.from, named.Text(), ok, x.want)
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
		m    localsite.Map
		want []string
	}{
		"root": {localsite.Map{Root: dir}, []string{
			at + "/index.html", at + "/img.png",
			at + "/guide/page.html", at + "/guide/doc.md#part", at + "/img.png", "https://h.example/", at + "/guide/index.html",
			at + "/index.html", at + "/img.png", at + "/guide/page.html#here", at + "/guide/page.html#there", "http://cdn.example/x", at + "/guide/page.html", at + "/img.png", at + "/out.html",
		}},
		"no root": {localsite.Map{}, []string{
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
		m          localsite.Map
		name, want string
	}{
		{localsite.Map{Root: dir, Base: base}, filepath.Join(dir, "a b", "c#d.html"), "https://site.example/docs/a%20b/c%23d.html"},
		{localsite.Map{Root: dir, Base: base}, filepath.Join(filepath.Dir(dir), "x"), "file://" + filepath.ToSlash(filepath.Dir(dir)) + "/x"},
		{localsite.Map{Base: base}, "x.md", "https://site.example/docs/"},
		{localsite.Map{Base: base}, "-", "https://site.example/docs/"},
		{localsite.Map{}, "-", ""},
	} {
		if got := x.m.URL(x.name).Text(); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

func TestOutside(t *testing.T) {
	t.Parallel()
	dir := site(t, map[string]string{"file": ""})
	for name, to := range map[string]string{"out": t.TempDir(), "in": ".", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	at := "file://" + filepath.ToSlash(dir)
	for text, want := range map[string]bool{
		at + "/x": false, at: false, at + "/x/../../y": true, at + "x": true, at + "/%2e%2e/y": true, at + "/..%2fy": true, "http://h/": false,
		at + "/loop": true, at + "/file/x": false, at + "/out": true, at + "/out/none/x": true, at + "/in/none": false, "file://other.example/x": true,
	} {
		if got := localsite.Outside(locator.Current.MustParse(text), "nothing", dir); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A restricted map looks for no file elsewhere. A folder may be reached by another name.
func TestRestrict(t *testing.T) {
	t.Parallel()
	dir := site(t, map[string]string{"docs/a.html": "", "secret.html": ""})
	if err := os.Symlink("docs", filepath.Join(dir, "other")); err != nil {
		t.Fatal(err)
	}
	var looked []string
	m := &localsite.Map{Stat: func(name string) (fs.FileInfo, error) { looked = append(looked, name); return os.Stat(name) }}
	only := m.Restrict([]string{filepath.Join(dir, "other")})
	at := "file://" + filepath.ToSlash(dir)
	for from, want := range map[string]string{at + "/other/a": at + "/other/a.html", at + "/docs/a": at + "/docs/a.html", at + "/secret": at + "/secret"} {
		to, ok := m.Target(locator.Current.MustParse(from), "", "a.md")
		if !ok || to.Text() != want || localsite.Outside(to, only...) != strings.HasSuffix(from, "secret") {
			t.Errorf("%s: %s %v, want %s; in %q", from, to, ok, want, only)
		}
	}
	for _, name := range looked {
		if strings.Contains(name, "secret") {
			t.Errorf("it looked for %s", name)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	dir := site(t, map[string]string{"a/x": "", "b/x": ""})
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b", "x")
	m, err := localsite.New(a, "http://h/", []string{"http://i/ " + b, "http://j/ http://k/"})
	if err != nil || m.Root != a || m.Base.Text() != "http://h/" || len(m.Rules) != 2 {
		t.Fatalf("%+v, error %v", m, err)
	}
	if got := m.Restrict([]string{dir, "http://h/", "none"}); !slices.Equal(got, []string{dir, b, a}) {
		t.Errorf("%q", got)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	m = &localsite.Map{Rules: []localsite.Rule{{From: "http://i/", To: "file://" + filepath.ToSlash(dir) + "/"}, {From: "http://j/", To: "http://k/"}}}
	if got := m.Restrict([]string{"."}); runtime.GOOS != "windows" && !slices.Equal(got, []string{here, dir}) {
		t.Errorf("%q, want absolute paths", got)
	}
	if got := new(localsite.Map).Restrict(nil); got == nil || len(got) != 0 {
		t.Errorf("%q", got)
	}
	for _, x := range []struct {
		root, base string
		rules      []string
	}{{root: b}, {root: "none"}, {base: "a b"}, {rules: []string{"x"}}} {
		if _, err := localsite.New(x.root, x.base, x.rules); err == nil {
			t.Errorf("%+v: no error", x)
		}
	}
}

func TestParseRule(t *testing.T) {
	t.Parallel()
	if r, err := localsite.ParseRule(" https://h/  ./my site/ "); err != nil || r != (localsite.Rule{From: "https://h/", To: "./my site/"}) {
		t.Errorf("%+v, error %v", r, err)
	}
	for _, text := range []string{"", "x", "x "} {
		if _, err := localsite.ParseRule(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
