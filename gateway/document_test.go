package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// documents serves documents by their path.
func documents(t *testing.T, all map[string]string) locator.URL {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, all[r.URL.Path])
	}))
	t.Cleanup(web.Close)
	return locator.MustParse(web.URL + "/")
}

// shownDocument returns the part of the page of a document that is the document.
func (s *site) shownDocument(u locator.URL) string {
	s.t.Helper()
	res := s.get(string(pathWith(u, url.Values{optDocument: {"1"}})))
	_, text, ok := strings.Cut(res.body, `<section class="document" aria-label="The document">`)
	if res.status != http.StatusOK || !ok || !strings.HasSuffix(strings.TrimSpace(res.body), "</html>") {
		s.t.Errorf("%s: %d %.2000s", u.Text(), res.status, res.body)
	}
	checkDocument(s.t, res.body)
	text, _, _ = strings.Cut(text, "</section>")
	return strings.TrimSpace(text)
}

// checkDocument parses a page as a browser does, and reports what a document must not bring into it.
func checkDocument(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Error(err)
		return
	}
	documents, panels := 0, 0
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		attr := make(map[string]string)
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
			if bad := strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || a.Key == "action" && inside || strings.Contains(a.Key, ":"); bad {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
			if inside && a.Key == "id" && !strings.HasPrefix(a.Val, documentPrefix) {
				t.Errorf("<%s> has the id %q", n.Data, a.Val)
			}
		}
		if inside && n.Type == html.ElementNode {
			if !slices.Contains(documentElements, n.Data) && n.Data != "a" && n.Data != "img" || n.Namespace != "" {
				t.Errorf("the document has <%s> of %q", n.Data, n.Namespace)
			}
			if href, ok := attr["href"]; ok && (!strings.HasPrefix(href, "/") || strings.HasPrefix(href, "//")) && !strings.HasPrefix(href, "#"+documentPrefix) {
				t.Errorf("href=%q", href)
			}
			if src, ok := attr["src"]; ok && !strings.HasPrefix(src, "/-/raw/") && !strings.HasPrefix(src, "/-/go?as=raw&") {
				t.Errorf("src=%q", src)
			}
		}
		if attr["class"] == "document" {
			documents++
			inside = true
		}
		if attr["class"] == "panel" {
			if panels++; inside || n.Parent.Data != "main" {
				t.Errorf("the panel stands in <%s>", n.Parent.Data)
			}
		}
		if inside && n.Type == html.TextNode && strings.ContainsFunc(n.Data, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x202e || c == 0x9b }) {
			t.Errorf("control characters: %q", n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inside)
		}
	}
	walk(root, false)
	if documents != 1 || panels != 1 {
		t.Errorf("%d documents and %d panels", documents, panels)
	}
}

// A document of HTML is shown as its source, and on request as a page of harmless elements, whose links are pages of the gateway.
func TestDocument(t *testing.T) {
	all := map[string]string{
		"/a/x.html": `<!DOCTYPE html><html><head><title>no</title><style>b{}</style></head><body bgcolor=red onload="alert(1)"><h2 id=url style="x:y" class=box>Head</h2>` +
			`<p>One <b>two<p>three</b><ul><li>a<li>b</ul><table><tr><td colspan=2>c<td>d<tr><td>e</table><a href="y.html#z">y</a> <a href='/b/c.txt'>c</a> <a href="#url">up</a> ` +
			`<a href="ftp://host.dom/%2Fx(1)">ftp</a> <a href="gopher://host.dom/1">menu</a> <a href="javascript:alert(1)">js</a> <a href="data:text/html,x">data</a> <a name="old">old</a>` +
			`<img src="i.gif" width=10 height=20 alt="an &lt;image>"><img src="http://other.dom/i.gif" alt="far"><img src="http://other.dom/i.gif" alt=""><form action="/x"><input name=q value=v></form>` +
			`<noscript><p>plain</noscript><p><object data=x><p>fallback</object><iframe src="f.html">no frames</iframe>`,
		"/base.html":  `<base href="/a/b/"><base href="/c/"><a href="d">d</a><frameset><frame src="e"><frame src="javascript:x"></frameset>`,
		"/latin.html": "<p>caf\xe9 &eacute;",
	}
	u := documents(t, all)
	s := serve(t, Options{}, u)
	at := func(ref string) locator.URL { x, _ := u.Resolve(ref); return x }
	if res := s.page(at("a/x.html")); !strings.Contains(res.body, `<a href="/-/view/html=1/`+at("a/x.html").Text()+`">Show as a page</a>`) || !strings.Contains(res.body, "&lt;h2 id=url") {
		t.Errorf("the source: %s", res.body)
	}
	text := s.shownDocument(at("a/x.html"))
	for _, want := range []string{
		`<h2 id="doc-url">Head</h2>`, "<p>One <b>two</b></p><p>three</p><ul><li>a</li><li>b</li></ul>", `<table><tr><td colspan="2">c</td><td>d</td></tr><tr><td>e</td></tr></table>`,
		`<a href="/-/view/html=1/` + at("a/y.html").Text() + `#doc-z">y</a>`, `<a href="/` + at("b/c.txt").Text() + `">c</a>`, `<a href="#doc-url">up</a>`,
		`<a href="/-/view/html=1/ftp://host.dom/%2Fx(1)">ftp</a>`, `<a href="/gopher://host.dom/1">menu</a>`, `<a>js</a> <a>data</a> <a id="doc-old">old</a>`,
		`<img src="/-/raw/` + at("a/i.gif").Text() + `" alt="an &lt;image&gt;" loading="lazy" width="10" height="20">`, `<a href="/http://other.dom/i.gif">[image] far</a>`,
		"fallback", `<a href="/-/view/html=1/` + at("a/f.html").Text() + `">[frame] f.html</a>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	for _, bad := range []string{"alert", "<input", "<form", "red", ">no<", "no frames", "plain", "b{}", "other.dom/i.gif\"></a>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the document has %s", bad)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	if text := s.shownDocument(at("base.html")); text != `<a href="/-/view/html=1/`+at("a/b/d").Text()+`">d</a><p><a href="/-/view/html=1/`+at("a/b/e").Text()+`">[frame] e</a></p>` {
		t.Errorf("base: %s", text)
	}
	if text := s.shownDocument(at("latin.html")); text != "<p>café é</p>" {
		t.Errorf("character set: %s", text)
	}
	res := s.get(string(pathWith(at("a/x.html"), url.Values{optDocument: {"1"}})))
	if field := res.header.Get(policyField); !strings.Contains(field, "default-src 'none'") || strings.Contains(field, "unsafe") || !strings.Contains(res.body, `">Show the source</a>`) {
		t.Errorf("%s", field)
	}
}

// Documents come by every scheme that has files.
func TestDocumentOfOtherSchemes(t *testing.T) {
	files, err := ftptest.Start([]peer.File{{Path: []string{"d", "a.html"}, Content: `<p><a href="b.html">b</a>`}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	u := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, `<p><a href="b.html">b</a> <a href="gopher://host.dom/1">c</a>`)
	})
	item := locator.MustParse(strings.TrimSuffix(u.Text(), "1") + "h/a")
	s := serve(t, Options{}, files.URL(), item)
	if text := s.shownDocument(files.URL("d", "a.html")); text != `<p><a href="/-/view/html=1/`+files.URL("d", "b.html").Text()+`">b</a></p>` {
		t.Errorf("ftp: %s", text)
	}
	if text := s.shownDocument(item); text != `<p><a>b</a> <a href="/gopher://host.dom/1">c</a></p>` {
		t.Errorf("gopher: %s", text)
	}
}

// Elements end where browsers end them, and attributes are as harmless as texts.
func TestDocumentElements(t *testing.T) {
	docs := map[string]string{
		`<a href="x">1<a href="y">2</a></a>`:                          `<a href="/-/view/html=1/HERE/x">12</a>`,
		`<a href="x"><iframe src="f"></iframe>1</a>`:                  `<a href="/-/view/html=1/HERE/x">1</a>`,
		`<div><table><tr><td>1</div>2</table>3</div>`:                 `<div><table><tr><td>12</td></tr></table>3</div>`,
		`<ul><li><table><tr><td><li>1</table>2</ul>`:                  `<ul><li><table><tr><td><li>1</li></td></tr></table>2</li></ul>`,
		`<table><tr><td colspan="999">1<td colspan="1000">2`:          `<table><tr><td colspan="999">1</td><td>2</td></tr></table>`,
		`<img src="i.gif" width="0" height="1" alt="">`:               `<img src="/-/raw/HERE/i.gif" alt="" loading="lazy" height="1">`,
		`<p title="` + strings.Repeat("x", maxDocumentLink+1) + `">1`: `<p>1</p>`,
		`<p title="&#27;&#x202e;x">1`:                                 "",
		`<img src="i.gif" alt="&#27;&#x202e;x">`:                      "",
		`<iframe src="&#27;&#x202e;x"></iframe>`:                      "",
		`<img src="http://other.dom/" alt="&#27;&#x202e;x">`:          "",
		`a&#27;&#x202e;x`: "",
	}
	for text, want := range docs {
		u := documents(t, map[string]string{"/x.html": text})
		x, _ := u.Resolve("x.html")
		got := serve(t, Options{}, u).shownDocument(x)
		if want = strings.ReplaceAll(want, "HERE", strings.TrimSuffix(u.Text(), "/")); want != "" && got != want {
			t.Errorf("%.80q: %q, not %q", text, got, want)
		}
		if strings.ContainsAny(got, "\x1b\u202e") {
			t.Errorf("%q: control characters in %q", text, got)
		}
	}
}
