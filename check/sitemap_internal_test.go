package check

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"locator"
	"locator/scheme"
)

const urlset = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read returns what a sitemap leads to, at most maxLinks.
func read(r io.Reader, most int64) (list []target) {
	readSitemap(r, most, func(to target) bool {
		list = append(list, to)
		return len(list) < maxLinks
	})
	return list
}

func TestReadSitemap(t *testing.T) {
	t.Parallel()
	page := urlset + "\n<url>\n<loc>http://a.example/?x=1&amp;y=2</loc><lastmod>2020-01-01</lastmod></url>\n<url><loc>\n  http://a.example/b\n</loc>" +
		"<image:image><image:loc>http://a.example/i.png</image:loc><image:title>A <b></image:title></image:image></url>\n" +
		"<url><loc><![CDATA[http://a.example/c?a=1&section=2&amp;]]></loc></url><url><loc>http://[bad</loc></url><url><loc> </loc></url><url><loc/></url></urlset>"
	pages := []string{"4 http://a.example/?x=1&y=2", "6 http://a.example/b", "8 http://a.example/c?a=1&section=2&amp;", "8 http://[bad"}
	for name, x := range map[string]struct {
		text string
		want []string
	}{
		"urlset":     {page, pages},
		"compressed": {gzipped(t, page), pages},
		"marked":     {"\ufeff\r\n " + urlset + "<url><loc>http://a.example/1</loc>", []string{"3 http://a.example/1"}},
		"index": {"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>http://a.example/1.xml</loc></sitemap></sitemapindex>",
			[]string{"1 http://a.example/1.xml of an index"}},
		"text":     {"\ufeffhttp://a.example/1\r\n\r\nftp://a.example/2\n", []string{"1 http://a.example/1", "3 ftp://a.example/2"}},
		"cut gzip": {gzipped(t, page)[:12], nil},
		"feed":     {"<?xml version='1.0'?><rss><channel><loc>http://a.example/</loc></channel></rss>", nil},
		"page":     {"<!doctype html><html><loc>http://a.example/</loc>", nil},
		"prose":    {"http://a.example/1\nis a page\n", nil},
		"mail":     {"mailto:ann@a.example\n", nil},
		"empty":    {"", nil},
		// An entity of the document itself does not expand.
		"bomb": {`<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>http://a.example/&b;</loc></url></urlset>`,
			[]string{"1 http://a.example/&b;"}},
		"external entity": {`<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>`, []string{"1 &a;"}},
		"long":            {urlset + "<url><loc>http://a.example/1</loc></url><url><loc>" + strings.Repeat("a<b>", maxLoc), []string{"2 http://a.example/1"}},
		"long tag":        {urlset + "<url><loc>http://a.example/1</loc></url><url x='" + strings.Repeat("x", 2*maxLoc), []string{"2 http://a.example/1"}},
		"long line":       {strings.Repeat("x", 2*maxLoc), nil},
	} {
		var got []string
		for _, to := range read(strings.NewReader(x.text), maxSitemap) {
			line := fmt.Sprintf("%d %s", to.line, to.text)
			if to.sitemap {
				line += " of an index"
			}
			got = append(got, line)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

// zeros is an endless text.
type zeros struct {
	begin string
	again string
	read  int
}

func (z *zeros) Read(b []byte) (int, error) {
	n := copy(b, z.begin)
	if z.begin = z.begin[n:]; n == 0 {
		for n+len(z.again) <= len(b) {
			n += copy(b[n:], z.again)
		}
	}
	z.read += n
	return n, nil
}

// Of a sitemap without end, as much is read as the limit allows; so of one that is compressed.
func TestEndlessSitemap(t *testing.T) {
	t.Parallel()
	const most = 4 << 20
	loc := "<url><loc>http://a.example/1</loc></url>"
	in := &zeros{begin: urlset, again: loc}
	if n := len(read(in, most)); n != maxLinks || in.read > 2*maxLinks*len(loc) {
		t.Errorf("%d links in %d bytes", n, in.read)
	}
	for _, again := range []string{" ", "<url>" + strings.Repeat(" ", 4000)} {
		in := &zeros{begin: urlset + loc, again: again}
		if n := len(read(in, most)); n > 1 || in.read > most+1<<16 {
			t.Errorf("%q: %d links in %d bytes", again[:1], n, in.read)
		}
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	io.WriteString(z, urlset+loc)
	for range 2 * most >> 12 {
		io.WriteString(z, "<url>"+strings.Repeat(" ", 1<<12))
	}
	io.WriteString(z, loc)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(read(&bomb, most)); n != 1 {
		t.Errorf("%d links of a compressed sitemap that is too long", n)
	}
}

// Documents, archives and texts that a recursive check comes by are not read to see whether they are
// sitemaps.
func TestNoSitemaps(t *testing.T) {
	t.Parallel()
	types := map[string]string{
		"a.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a.svg": "image/svg+xml", "a.txt": "text/plain", "a.gz": "application/gzip",
		"Sitemap.txt": "text/plain; charset=utf-8", "a.xml": "application/octet-stream",
	}
	asked := make(map[string]int)
	c := &Checker{Scope: Scope{"http://a.example/"}}
	c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
		path, _ := u.Path()
		asked[path]++
		return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: types[path]}, Body: io.NopCloser(strings.NewReader("x"))}, nil
	}).client(t)
	for name := range types {
		c.Check(t.Context(), Task{URL: "http://a.example/" + name, Depth: 1})
	}
	if want := map[string]int{"a.docx": 1, "a.svg": 1, "a.txt": 1, "a.gz": 1, "Sitemap.txt": 2, "a.xml": 2}; !maps.Equal(asked, want) {
		t.Errorf("requests %v, want %v", asked, want)
	}
}

// A page whose name is that of a sitemap is followed as a page, and a sitemap that is sent as a page as a sitemap.
func TestPageNamedSitemap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<html><a href="b">x</a></html>`:                            "http://a.example/b",
		`<urlset><url><loc>http://a.example/c</loc></url></urlset>`: "http://a.example/c",
	} {
		c := &Checker{Scope: Scope{"http://a.example/"}}
		c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(strings.NewReader(text))}, nil
		}).client(t)
		a := c.attempt(t.Context(), Task{URL: "http://a.example/a.xml", Depth: 1}, &machine{rules: c.newRules()}, nil)
		if len(a.found) != 1 || a.found[0].URL != want {
			t.Errorf("%s: %+v, want %s", text, a.found, want)
		}
	}
}

// foundIn is a bucket that counts the links of each commit.
type foundIn struct {
	Bucket
	most *int
}

func (b foundIn) Commit(ctx context.Context, done []Done, hosts []Host) error {
	for _, d := range done {
		*b.most = max(*b.most, len(d.Found))
	}
	return b.Bucket.Commit(ctx, done, hosts)
}

// The links of a large sitemap are added as they come, so that they are never all in memory at once.
func TestLargeSitemap(t *testing.T) {
	t.Parallel()
	const many = 10*addBatch + 1
	var text strings.Builder
	for i := range many {
		fmt.Fprintf(&text, "http://a.example/%d\n", i)
	}
	c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
		res := &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/plain"}}
		res.Body = io.NopCloser(strings.NewReader(text.String()))
		return res, nil
	}).client(t)
	r, err := NewMemory(nil).Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(t.Context(), []Link{{Key: "s", URL: "http://a.example/sitemap.txt", Host: "a.example", Depth: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &Worker{Checker: &Checker{Client: c, Manners: func(string) Manners { return Manners{Interval: -1, PerHost: 32} }}}
	w.init()
	most, do := 0, w.bucket(t.Context())
	if err := r.Work(t.Context(), 1, func(ctx context.Context, b Bucket) error { return do(ctx, foundIn{b, &most}) }); err != nil {
		t.Fatal(err)
	}
	if info, err := r.Info(t.Context()); err != nil || info.Verdicts[OK] != many+1 || most != 1 {
		t.Errorf("%v, error %v; %d links in a commit, want those that are left", info.Verdicts, err, most)
	}
}

// A sitemap that the user names is followed without a scope: an index, and the sitemaps in it, but
// no page. Indexes that lead to each other end.
func TestSitemaps(t *testing.T) {
	t.Parallel()
	index := func(names ...string) string {
		text := "<sitemapindex>"
		for _, name := range names {
			text += "<sitemap><loc>http://a.example/" + name + "</loc></sitemap>"
		}
		return text + "</sitemapindex>"
	}
	set := func(name string) string {
		return urlset + "<url><loc>http://a.example/" + name + "</loc></url></urlset>"
	}
	pages := map[string]string{
		"index.xml": index("index.xml", "1.xml.gz", "other.xml", "2.txt"), "1.xml.gz": gzipped(t, set("page")), "other.xml": index("index.xml", "far.xml"),
		"far.xml": set("too-far"), "2.txt": "http://a.example/text\n", "page": "<a href=/not-followed>", "deep": "<a href=/deeper>", "deeper": "<a href=/deepest>", "set.xml": set("set.xml") + set("index-page"),
	}
	types := map[string]string{"gz": "application/gzip", "xml": "application/xml", "txt": "text/plain; charset=utf-8"}
	check := func(depth int, scope Scope, name string) (got []string) {
		synctest.Test(t, func(t *testing.T) {
			c := &Checker{Scope: scope}
			c.Client = fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				path, _ := u.Path()
				kind := types[path[strings.LastIndexByte(path, '.')+1:]]
				if kind == "" {
					kind = "text/html"
				}
				return &scheme.Resource{URL: u, Kind: scheme.KindObject, Attr: scheme.Attr{Type: kind}, Body: io.NopCloser(strings.NewReader(pages[path]))}, nil
			}).client(t)
			r, err := NewMemory(nil).Begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			in := &Input{Run: r, Checker: c, Depth: depth}
			if err := in.Add(t.Context(), "http://a.example/"+name, Place{}); err != nil {
				t.Fatal(err)
			}
			if err := in.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := (&Worker{Checker: c}).Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			for _, res := range resultsOf(t, r) {
				got = append(got, strings.TrimPrefix(res.URL, "http://a.example/"))
			}
		})
		slices.Sort(got)
		return got
	}
	for _, x := range []struct {
		depth int
		scope Scope
		name  string
		want  []string
	}{
		{0, nil, "index.xml", []string{"1.xml.gz", "2.txt", "far.xml", "index.xml", "other.xml", "page", "text"}},
		{0, nil, "set.xml", []string{"index-page", "set.xml"}},
		{0, nil, "page", []string{"page"}},
		{1, Scope{"http://a.example/"}, "deep", []string{"deep", "deeper"}},
		{5, Scope{"http://a.example/"}, "index.xml", []string{"1.xml.gz", "2.txt", "far.xml", "index.xml", "not-followed", "other.xml", "page", "too-far"}},
	} {
		if got := check(x.depth, x.scope, x.name); !slices.Equal(got, x.want) {
			t.Errorf("%s, depth %d: %q, want %q", x.name, x.depth, got, x.want)
		}
	}
}

// A request adds nothing to a bucket that was given back: another worker may have ended the run.
func TestMoreAfterReturn(t *testing.T) {
	t.Parallel()
	h := &hold{over: make(chan struct{})} // its bucket is nil, and must not be used
	close(h.over)
	if h.more(t.Context(), []Link{{}}) {
		t.Error("links were added")
	}
}
