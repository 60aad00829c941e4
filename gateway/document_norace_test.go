//go:build !race

package gateway

import (
	"fmt"
	"io"
	"locator"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Covers: GW80
func TestHostileDocument(t *testing.T) {
	deep := func(name string) string { return strings.Repeat("<"+name+">", 100_000) }
	hostile := []string{
		`</section></main></body></html><script>alert(1)</script>`, `<table><div><table></table></div></table></div></section>`, `<p></p></p></div></div></main>`,
		`<svg><style><img src=x onerror=alert(1)></style></svg>`, `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`, `<xmp><img src=x onerror=alert(1)></xmp>`,
		`<listing>&lt;img src=1 onerror=alert(1)&gt;</listing>`, `<template><script>alert(1)</script></template>`, `<textarea><img src=x onerror=alert(1)>`, `<title><img src=x onerror=alert(1)>`,
		`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`, `<plaintext><script>alert(1)</script>`, `<!--><img src=x onerror=alert(1)>-->`, `<![CDATA[<img src=x onerror=alert(1)>]]>`,
		`<?xml-stylesheet href="javascript:alert(1)"?>`, `<meta http-equiv=refresh content="0;url=http://evil.dom/">`, `<base href="javascript:alert(1)//"><a href="x">x</a>`, `<base href="//evil.dom/"><img src=x><a href=x>x</a>`,
		`<base target=_blank><link rel=stylesheet href=http://evil.dom/><style>@import "//evil.dom"</style>`, `<a href="java&#10;script:alert(1)">`, `<a href="&#1;javascript:alert(1)">`, `<a href=" jAvAsCrIpT:alert(1)">`,
		`<a href="//evil.dom/x">x</a><a href="\\evil.dom">y</a><a href="///x">z</a>`, `<a href="vbscript:x">`, `<a href="blob:x">`, `<img src="data:image/svg+xml,<svg onload=alert(1)>">`, `<img srcset="http://evil.dom/x 1x" lowsrc=x dynsrc=y>`,
		`<iframe srcdoc="<script>alert(1)</script>">`, `<embed src=x><applet code=x><object data=x><param name=src value=y>`, `<input autofocus onfocus=alert(1)><button formaction=x>`, `<p id="fragment" class="hidden">x`,
		`<a id=content name=url href="#fragment">x</a>`, `<p style="position:fixed">x`, `<b onclick=alert(1) ONMOUSEOVER=alert(1) data-copy=x tabindex=1 accesskey=a>x`, `<p title='"><script>alert(1)</script>'>`,
		"a&#27;[31mb\x1b[32m&#x202e;c\u202ed&#155;e\x00f&#0;", `<p title="&#27;&#x202e;x">`, `<a href="x&#27;y&#x202e;">x</a>`, `<a><b><a href=x>x</a></b></a><table><a href=y><tr><td></a>`, `<b><p><i></b></i><table><b><tr><i>x`,
		"<", "</", "<a", "<a href", "<a href=\"x", "<!--", "<!", "<img src=x alt='", "<script>alert(1)", "<style>", "<iframe>", "<frame>", "<object>", "<table><tr><td", "&#", "&#xffffffff;",
		deep("div"), deep("b"), deep("table"), deep("blockquote"), deep("a href=x"), deep("ul><li"), deep("table><tr><td"), deep("font"), deep("svg"), deep("frameset"), deep("object"), deep("script"), deep("p><b"), strings.Repeat("</div>", 100_000),
		"<p " + strings.Repeat("title=x ", 100_000) + ">", "<p " + strings.Repeat("on", 100_000) + "=x>", strings.Repeat("<", 300_000), strings.Repeat("&#", 300_000), strings.Repeat("&lt;a", 300_000), "<a href=\"" + strings.Repeat("../", 100_000) + "\">x</a>",
		"<b>" + strings.Repeat("<i>x</b>", 100_000), strings.Repeat("<!--", 100_000), "<p title=\"" + strings.Repeat("x", 1<<20) + "\">y</p>",
	}
	all := make(map[string]string)
	for i, text := range hostile {
		all[fmt.Sprintf("/%d.html", i)] = text
	}
	u := documents(t, all)
	s := serve(t, Options{}, u)
	for i, text := range hostile {
		began := time.Now()
		x, _ := u.Resolve(fmt.Sprintf("%d.html", i))
		s.shownDocument(x)
		if d := time.Since(began); d > 10*time.Second { // each takes a second at most
			t.Errorf("%.60q takes %v", text, d)
		}
		if t.Failed() {
			t.Fatalf("%.200q", text)
		}
	}
}

// A page has so much of a document, says so, and says why it ends.
//
// Covers: GW80
func TestDocumentBounds(t *testing.T) {
	const notice = "The document is longer"
	image := strings.Repeat("<img src=i.gif>", maxDocumentImages+10)
	all := map[string]string{"/long.html": strings.Repeat("<p>0123456789", maxDocument/13+2), "/links.html": "<base href=/" + strings.Repeat("x", 100) + "/>" + strings.Repeat("<a href=x></a>", maxDocument/14-10), "/images.html": image, "/end.html": "<p>" + strings.Repeat("0123456789", maxDocument/10+1) + "the end"}
	u := documents(t, all)
	s := serve(t, Options{}, u)
	for name, want := range map[string]bool{"long.html": true, "links.html": true, "images.html": false, "end.html": true} {
		x, _ := u.Resolve(name)
		res := s.get(string(pathWith(x, url.Values{optDocument: {"1"}})))
		if res.status != http.StatusOK || strings.Contains(res.body, notice) != want || len(res.body) > maxDocumentHTML+1<<20 || !strings.HasSuffix(strings.TrimSpace(res.body), "</html>") {
			t.Errorf("%s: %d, %d bytes", name, res.status, len(res.body))
		}
		if strings.Contains(res.body, "the end") {
			t.Errorf("%s: more is read", name)
		}
		if n := strings.Count(res.body, "<img "); n > maxDocumentImages {
			t.Errorf("%s: %d images", name, n)
		}
	}
	cut := menu(t, func(_ string, w io.Writer) {
		io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>the <b>beginning")
	})
	cut = locator.MustParse("http://" + cut.Host() + ":" + cut.Port() + "/a.html")
	res := serve(t, Options{}, cut).get(string(pathWith(cut, url.Values{optDocument: {"1"}})))
	if !strings.Contains(res.body, "<p>the <b>beginning</b></p></section>") || !strings.Contains(res.body, "The text ends here: ") {
		t.Errorf("%s", res.body)
	}
	checkDocument(t, res.body)
}
