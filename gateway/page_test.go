package gateway

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"locator"
	"locator/internal/tour"
)

// A page without rows has under 40 KB, under 12 KB compressed, one style sheet and one script. So does what it loads, together.
func TestPageSize(t *testing.T) {
	servers, err := tour.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(servers.Close)
	var urls []locator.URL
	for _, x := range servers.URLs() {
		urls = append(urls, x.URL)
	}
	s := serve(t, Options{Folders: []locator.URL{servers.Folder()}}, urls...)
	paths := []string{"/", "/-/none", "/http://10.0.0.1/", "/-/explain/ftp://host.dom/a"}
	for _, u := range urls {
		if u.Scheme() != "telnet" { // its page has a terminal besides
			paths = append(paths, string(pathWith(u, url.Values{"filter": {"no such name"}, "sort": {"name"}})))
		}
	}
	check := func(path, body string) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(body)) // the buffer takes all
		z.Close()
		if len(body) > 40<<10 || b.Len() > 12<<10 {
			t.Errorf("%s: %d bytes, %d compressed", path, len(body), b.Len())
		}
	}
	for _, path := range paths {
		body := s.get(path).body
		check(path, body)
		if n, m := strings.Count(body, `rel="stylesheet"`), strings.Count(body, "<script "); n != 1 || m != 1 {
			t.Errorf("%s: %d style sheets, %d scripts", path, n, m)
		}
	}
	for _, name := range []string{"style.css", "script.js", "icons.svg"} {
		check(name, s.get(s.g.assets.names[name]).body)
	}
	if css := s.get(s.g.assets.names["style.css"]).body; !strings.Contains(css, "url("+s.g.assets.names["icons.svg"]+")") {
		t.Error("the style sheet does not use the icons")
	}
}

// What a page says about the policy is what the gateway does.
func TestExplainedPolicy(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) locator.URL {
		return locator.MustParse("file://" + filepath.ToSlash(filepath.Join(dir, name)))
	}
	list := filepath.Join(dir, "blocked.txt")
	writeList(t, list, "bad.example\n")
	also := locator.MustParse("gopher://127.0.0.1:7070/1")
	s := serve(t, Options{Folders: []locator.URL{at("pub")}, Service: Service{BlockList: list}}, also)
	for u, allowed := range map[string]bool{
		at("pub/a.txt").Text(): true, at("pub").Text() + "/#part": true, at("pubx/a.txt").Text(): false, at("private.txt").Text(): false, also.Text(): true, "gopher://127.0.0.1:7071/": false,
		"ftp://host.dom/": true, "ftp://a.bad.example/": false,
	} {
		x := s.g.explained(u)
		if (x.Refused == nil) != allowed {
			t.Errorf("%s: %v", u, x.Refused)
		}
		want := map[bool]string{true: "policy     allows it", false: "policy     refuses it"}[allowed]
		if res := s.get("/-/explain/" + strings.ReplaceAll(u, "#", "%23")); !strings.Contains(res.body, want) && !strings.Contains(u, "#") {
			t.Errorf("%s: %s", u, res.body)
		}
		if res := s.get("/" + u); u != also.Text() && (res.status == http.StatusForbidden) == allowed && !strings.Contains(u, "host.dom") {
			t.Errorf("%s: %d", u, res.status)
		}
	}
}

// A page leads to the folder above and to the root, where there is one.
func TestAddressOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"ftp://host.dom/a/b/": {"/ftp://host.dom/a/", "/ftp://host.dom/"}, "ftp://host.dom/a/b/c.txt": {"/ftp://host.dom/a/b/", "/ftp://host.dom/"}, "http://host.dom/a": {"", "/http://host.dom/"},
		"http://host.dom/": {"", ""}, "gopher://host.dom/0/a/b": {"", "/gopher://host.dom"}, "file:///pub/a/": {"/file:///pub/", "/file:///"}, "news:comp.lang": {"", ""},
	} {
		u := locator.MustParse(text)
		if a := addressOf(u, u); string(a.Up) != want[0] || string(a.Root) != want[1] {
			t.Errorf("%s: up %q and root %q, want %q", text, a.Up, a.Root, want)
		}
	}
}
