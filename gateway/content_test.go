package gateway

import (
	"io"
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

// The types I and 9 of gopher say little of a file: its page shows what its bytes are. What could be a program is text in a sandbox.
//
// Covers: GWS16
func TestGopherBytes(t *testing.T) {
	const png, jpeg, zip = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", "PK\x03\x04\x14\x00\x00\x00\x08\x00"
	const page = "<!DOCTYPE html><html><script>alert(1)</script></html>"
	bodies := map[string]string{"/png": png, "/jpeg": jpeg, "/zip": zip, "/html": page, "/text": "Herons stand <b>still</b>.\r\n"}
	u := menu(t, func(selector string, w io.Writer) { io.WriteString(w, bodies[selector]) })
	s := serve(t, Options{}, u)
	root := strings.TrimSuffix(u.Text(), "1")
	for item, want := range map[string]struct {
		mediaType string
		isFile    bool   // the raw view is a download
		shown     string // in the page
	}{
		"I/png": {"image/png", false, "<img src="}, "I/jpeg": {"image/jpeg", false, "<img src="}, "I/html": {"text/plain", false, "&lt;script&gt;"},
		"9/png": {"image/png", false, "<img src="}, "9/text": {"text/plain", false, "&lt;b&gt;still"}, "9/zip": {"application/octet-stream", true, "application/zip"}, "9/html": {"text/plain", false, "&lt;script&gt;"},
	} {
		u := locator.MustParse(root + item)
		if res := s.page(u); res.status != http.StatusOK || !strings.Contains(res.body, want.shown) || strings.Contains(res.body, "<script>") {
			t.Errorf("the page of %s: %d %s", item, res.status, res.body)
		}
		for _, v := range []view{viewRaw, viewFile} {
			res := s.get(string(pathOf(v, u)))
			got, _, _ := strings.Cut(res.header.Get("Content-Type"), ";")
			isFile := strings.HasPrefix(res.header.Get("Content-Disposition"), "attachment")
			if res.status != http.StatusOK || got != want.mediaType || res.body != bodies[item[1:]] || isFile != (want.isFile || v == viewFile) {
				t.Errorf("view %d of %s: %d %v, %d bytes", v, item, res.status, res.header, len(res.body))
			}
			if !strings.HasPrefix(res.header.Get("Content-Security-Policy"), "sandbox; default-src 'none'") || res.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("view %d of %s: %v", v, item, res.header)
			}
		}
	}
}
