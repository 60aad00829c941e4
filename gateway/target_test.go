package gateway

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"locator"
)

// request returns the request that a server gets for a target, which may be one that package url would change.
func request(t *testing.T, method, target string, header ...string) *http.Request {
	t.Helper()
	text := method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:1738\r\n" + strings.Join(append(header, ""), "\r\n") + "\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	return r
}

func TestPlaceOf(t *testing.T) {
	for _, tt := range []struct {
		target, text string
		view         view
	}{
		{"/", "/", viewOwn},
		{"/robots.txt", "/robots.txt", viewOwn},
		{"/-/none", "/-/none", viewOwn},
		{"/ftp://host.dom//a/%2Fb", "ftp://host.dom//a/%2Fb", viewPage},
		{"/http://host.dom/a?b?c=/d", "http://host.dom/a?b?c=/d", viewPage},
		{"/gopher://host.dom/7/s%09a+b", "gopher://host.dom/7/s%09a+b", viewPage},
		{"/gopher://host.dom/0/f%09%09?", "gopher://host.dom/0/f%09%09?", viewPage},
		{"/-/raw/ftp://host.dom/a", "ftp://host.dom/a", viewRaw},
		{"/-/explain/news:*", "news:*", viewExplain},
		{"/-/view/sort=size/ftp://host.dom/a", "ftp://host.dom/a", viewPage},
		{"/-/go?url=ftp%3A%2F%2Fhost.dom%2F..%2Fa", "ftp://host.dom/../a", viewPage},
		{"/-/go?url=ftp%3A%2F%2Fhost.dom%2Fa&as=raw", "ftp://host.dom/a", viewRaw},
		{"/-/go?url=+", "/-/go", viewOwn},
		{"/gw?a=gopher%3A%2F%2Fhost.dom%2F1", "gopher://host.dom/1", viewPage},
		{"ftp://host.dom/a;type=a", "ftp://host.dom/a;type=a", viewProxy},
		{"gopher://host.dom/", "gopher://host.dom/", viewProxy},
	} {
		r := request(t, http.MethodGet, tt.target)
		if p := placeOf(r); p.view != tt.view || p.text != tt.text {
			t.Errorf("%s: view %d, %q", tt.target, p.view, p.text)
		}
	}
}

// Each URL arrives at the gateway as it was, by the path of its page.
func TestPathOf(t *testing.T) {
	for _, text := range []string{
		"ftp://host.dom//a//", "ftp://host.dom/%2Fetc/motd;type=a", "ftp://user@host.dom/", "ftp://host.dom:/a", "ftp://host.dom/../a", "ftp://host.dom/%2e%2E/a",
		"ftp://[2001:db8::1]/a", "gopher://host.dom/0a%23b", "gopher://host.dom/7/s%09a+b", "gopher://host.dom/1a'b(c)", "http://host.dom/?a'b",
		"news:a+b@host.dom", "mailto:a@host.dom?subject=%22x%22", "wais://host.dom/d/t/%01%FF", "prospero://host.dom/a;v=1",
	} {
		u, err := locator.Current.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, v := range []view{viewPage, viewRaw, viewExplain} {
			path := string(pathOf(v, u))
			if p := placeOf(request(t, http.MethodGet, path)); p.text != text || p.view != v {
				t.Errorf("%s: %s is view %d of %q", text, path, p.view, p.text)
			}
		}
		path := string(pathWith(u, map[string][]string{"sort": {"size"}}))
		if p := placeOf(request(t, http.MethodGet, path)); p.text != text || p.opts.Get("sort") != "size" {
			t.Errorf("%s: %s is %q with %v", text, path, p.text, p.opts)
		}
	}
}

func TestSurvives(t *testing.T) {
	for text, want := range map[string]bool{
		"ftp://host.dom/a": true, "ftp://host.dom//": true, "ftp://host.dom/a%2Fb": true, "ftp://host.dom/...": true, "http://h/a?..": true, "http://h/a'": true,
		"ftp://host.dom/.": false, "ftp://host.dom/../": false, "ftp://host.dom/%2E./a": false, `ftp://host.dom/a\b`: false, "http://h/a#b": false,
		"http://h/{a}": false, `http://h/"`: false, "http://h/ ": false, "http://h/\u00e9": false, "http://h/a?b'c": false, "http://h/a%zz": false, "http://h/a^b": false,
	} {
		if survives(text) != want {
			t.Errorf("survives(%q) = %v", text, !want)
		}
	}
}
