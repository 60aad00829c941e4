package gateway

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"locator"
)

func TestFront(t *testing.T) {
	s := serve(t, Options{Examples: []Example{{locator.MustParse("ftp://host.dom/pub/"), "a directory"}}})
	res := s.get("/")
	for _, name := range []string{"ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"} {
		if !strings.Contains(res.body, `<th scope="row">`+name+"</th>") {
			t.Errorf("%s is not on the front page", name)
		}
	}
	if !strings.Contains(res.body, `<a href="/ftp://host.dom/pub/">ftp://host.dom/pub/</a>`) || !strings.Contains(res.body, "a directory") {
		t.Errorf("no example: %s", res.body)
	}
	if len(res.body) > 40<<10 {
		t.Errorf("%d bytes", len(res.body))
	}
	if policy := res.header.Get("Referrer-Policy"); policy != "same-origin" { // with no-referrer, browsers send Origin: null with its forms
		t.Errorf("Referrer-Policy %q", policy)
	}
	for _, path := range regexp.MustCompile(`"(/-/assets/[^"]*)"`).FindAllStringSubmatch(res.body, -1) {
		if file := s.get(path[1]); file.status != http.StatusOK || !strings.Contains(file.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d", path[1], file.status)
		}
	}
	if res := s.get("/favicon.ico"); res.status != 200 || res.header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("favicon: %d", res.status)
	}
	if res := s.get("/robots.txt"); !strings.Contains(res.body, "Disallow: /") {
		t.Errorf("robots.txt: %q", res.body)
	}
}

// The address box takes what people paste.
func TestGo(t *testing.T) {
	s := serve(t, Options{})
	for text, want := range map[string]string{
		"ftp://host.dom/pub/": "/ftp://host.dom/pub/", " <URL:gopher://host.dom/1/x> ": "/gopher://host.dom/1/x", "www.host.dom/a": "/http://www.host.dom/a",
		"<URL:ftp://host.dom/long/\n   path>": "/ftp://host.dom/long/path", "see ftp://host.dom/a for more": "/ftp://host.dom/a", "news:comp.infosystems": "/news:comp.infosystems",
		"URL:wais://host.dom/db": "/wais://host.dom/db",
	} {
		res := s.get("/-/go?url=" + url.QueryEscape(text))
		if to := res.header.Get("Location"); res.status != http.StatusSeeOther || to != want {
			t.Errorf("%q: %d to %q", text, res.status, to)
		}
	}
	res := s.get("/-/go?url=" + url.QueryEscape("htp:/host.dom/a b"))
	if res.status != http.StatusBadRequest && res.status != http.StatusNotImplemented {
		t.Errorf("a typing mistake: %d", res.status)
	}
	res = s.get("/-/go?url=" + url.QueryEscape("http:/host.dom/a b"))
	if res.status != http.StatusBadRequest || !strings.Contains(res.body, "Did you mean") || !strings.Contains(res.body, `<a href="/http://host.dom/a%20b">`) {
		t.Errorf("a mistake that can be repaired: %d %s", res.status, res.body)
	}
	res = s.get("/-/go?url=" + url.QueryEscape("ftp://host.invalid/../a"))
	if res.header.Get("Location") != "" || !strings.Contains(res.body, "ftp://host.invalid/../a") {
		t.Errorf("a URL that a browser would change: %d to %q", res.status, res.header.Get("Location"))
	}
}

// Settings stay while one walks on, and lead nowhere else.
func TestSettings(t *testing.T) {
	s := serve(t, Options{})
	for back, want := range map[string]string{"/ftp://host.dom/a": "/ftp://host.dom/a", "//evil.example/": "/", "https://evil.example/": "/", "/\\evil.example": "/", "": "/", "/\t/evil.example/": "/", "/\n/evil.example": "/", "/\x00x": "/"} {
		res := s.post("/-/settings", url.Values{"back": {back}, "width": {"72"}, "charset": {"koi8-r"}, "plain": {"1"}})
		if to := res.header.Get("Location"); res.status != http.StatusSeeOther || to != want {
			t.Errorf("%q: %d to %q", back, res.status, to)
		}
	}
	r := request(t, http.MethodGet, "/", "Cookie: "+settingsCookie+"="+s.cookies[settingsCookie])
	if got := settingsOf(r); got != (settings{"72", "koi8-r", true}) {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{"width=x", "charset=%0d%0a", "width=" + strings.Repeat("9", 5000), "%zz"} {
		if got := settingsOf(request(t, http.MethodGet, "/", "Cookie: "+settingsCookie+"="+bad)); got != (settings{}) {
			t.Errorf("%s: %+v", bad, got)
		}
	}
}

func TestExplainPage(t *testing.T) {
	s := serve(t, Options{})
	if res := s.get("/-/explain/ftp://host.dom/%2Fetc/motd"); res.status != 200 || !strings.Contains(res.body, "CWD /etc") {
		t.Errorf("%d: %s", res.status, res.body)
	}
	if res := s.get("/-/explain/ftp://host.dom/a", "Accept: application/json"); res.header.Get("Content-Type") != "application/json" || !strings.HasPrefix(res.body, `{"input":"ftp://host.dom/a"`) {
		t.Errorf("%v %s", res.header, res.body)
	}
	if res := s.get("/-/explain/ftp:"); res.status != http.StatusBadRequest {
		t.Errorf("malformed: %d", res.status)
	}
}
