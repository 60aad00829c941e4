package gateway

import (
	"net/http"
	"strings"
	"testing"

	"locator"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// The second origin has the bytes of resources, and nothing else: no pages, no forms, no logins. Only there a browser shows documents.
//
// Covers: GWS16
func TestContentOrigin(t *testing.T) {
	tree := []peer.File{{Path: []string{"a.html"}, Content: "<script>alert(1)</script>"}, {Path: []string{"b.pdf"}, Content: "%PDF-1.4 x"}, {Path: []string{"c.pdf"}, Content: "<html>"}, {Path: []string{"d.gif"}, Content: "GIF89a"}}
	web, err := httptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	s := serve(t, Options{Service: Service{ContentOrigin: "https://content.test"}}, web.URL())
	content := "Host: content.test"
	raw := func(name string) string { return string(pathOf(viewRaw, web.URL(name))) }
	for name, want := range map[string]string{"a.html": "text/plain", "b.pdf": "application/pdf", "c.pdf": "application/octet-stream", "d.gif": "image/gif"} {
		res := s.get(raw(name), content)
		got, _, _ := strings.Cut(res.header.Get("Content-Type"), ";")
		if res.status != http.StatusOK || got != want || res.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, res.status, res.header)
		}
		if isSandbox := strings.HasPrefix(res.header.Get("Content-Security-Policy"), "sandbox"); isSandbox == (want == "application/pdf") {
			t.Errorf("%s: Content-Security-Policy %q", name, res.header.Get("Content-Security-Policy"))
		}
		if res := s.get(raw(name)); strings.HasPrefix(res.header.Get("Content-Type"), "application/pdf") || !strings.HasPrefix(res.header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s on the first origin: %v", name, res.header)
		}
	}
	for _, target := range []string{"/", "/" + web.URL("a.html").Text(), "/-/explain/" + web.URL("a.html").Text(), "/-/login", "/-/assets/x", "/robots.txt"} {
		if res := s.get(target, content); res.status != http.StatusMisdirectedRequest {
			t.Errorf("%s: %d", target, res.status)
		}
	}
	if res := s.send(http.MethodPost, raw("a.html"), "a=b", content); res.status != http.StatusMisdirectedRequest {
		t.Errorf("POST: %d", res.status)
	}
	page := s.page(web.URL("d.gif"))
	if !strings.Contains(page.body, `<img src="https://content.test/-/raw/`) || !strings.Contains(page.header.Get("Content-Security-Policy"), "img-src 'self' https://content.test;") {
		t.Errorf("%v %s", page.header, page.body)
	}
	if page := s.page(web.URL("b.pdf")); !strings.Contains(page.body, "Show the document") {
		t.Errorf("%s", page.body)
	}
	if page := serve(t, Options{}, web.URL()).page(web.URL("b.pdf")); strings.Contains(page.body, "Show the document") {
		t.Errorf("%s", page.body)
	}
	guarded := newGuarded(t)
	other := serve(t, Options{Service: Service{ContentOrigin: "https://content.test"}}, guarded.url)
	if res := other.get(string(pathOf(viewRaw, guarded.url)), content, basic("ann", "word")); res.status != http.StatusUnauthorized || res.header.Get("WWW-Authenticate") != "" || strings.Contains(guarded.text(), "Basic") {
		t.Errorf("a login on the second origin: %d %v", res.status, res.header)
	}
}

// Covers: GWS16
func TestIsContent(t *testing.T) {
	g := &Gateway{}
	r := &http.Request{Host: "", RequestURI: "/", Header: http.Header{}}
	if g.isContent(r) {
		t.Error("without a second origin")
	}
	g.opt.Service.ContentOrigin = "https://content.test"
	for _, x := range []struct {
		host, uri string
		want      bool
	}{{"content.test", "/", true}, {"CONTENT.test:8443", "/", true}, {"content.test", "http://content.test/", false}, {"a.content.test", "/", false}, {"", "/", false}} {
		if r.Host, r.RequestURI = x.host, x.uri; g.isContent(r) != x.want {
			t.Errorf("%+v", x)
		}
	}
	x, u := &exchange{g: g, r: r}, locator.MustParse("http://host.dom/a.png")
	if got := string(x.contentPath(viewRaw, u)); !strings.HasPrefix(got, "https://content.test/") {
		t.Error(got)
	}
	r.Header.Set("Authorization", "Basic eA==")
	if got := string(x.contentPath(viewRaw, u)); !strings.HasPrefix(got, "/") {
		t.Errorf("with a login: %s", got)
	}
	h := http.Header{}
	h.Set(policyField, contentPolicy(""))
	if g.allowContent(h); !strings.Contains(h.Get(policyField), "media-src 'self' https://content.test;") {
		t.Errorf("%v", h)
	}
	for text, want := range map[string]bool{"application/pdf": true, "Application/PDF ; x=y": true, "application/pdfx": false, "": false} {
		if isPDF(text) != want {
			t.Errorf("isPDF(%q)", text)
		}
	}
	for text, want := range map[string]bool{"https://a.b:1": true, "x https://a.b": false, "https://a.b/": false, "https://a.b; x": false} {
		if isOrigin(text) != want {
			t.Errorf("isOrigin(%q)", text)
		}
	}
}
