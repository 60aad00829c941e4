package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/tour"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// A program gets the resource itself, by the absolute form of its request.
//
// Covers: G1
func TestProxy(t *testing.T) {
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
	for _, u := range urls {
		res := s.get(u.Text())
		if head := s.send(http.MethodHead, u.Text(), ""); u.HasHost() && head.status != res.status || head.body != "" || len(head.header["Content-Type"]) > 0 && head.header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %v", u, head.status, head.header)
		}
		switch u.Scheme() {
		case "mailto", "telnet":
			if res.status != http.StatusNotImplemented || res.header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s: %d %v", u, res.status, res.header)
			}
			continue
		}
		if res.status != http.StatusOK || res.body == "" || res.err != nil {
			t.Errorf("%s: %d, %d bytes, %v", u, res.status, len(res.body), res.err)
		}
		if strings.Contains(u.Text(), "etc/motd") && u.Scheme() != "nntp" && u.Scheme() != "news" && strings.TrimSpace(res.body) != "the file of RFC 1738 3.2.2" {
			t.Errorf("%s: %q", u, res.body)
		}
	}
}

// Covers: G1
func TestProxyListing(t *testing.T) {
	servers, err := tour.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(servers.Close)
	for _, x := range servers.URLs() {
		u := x.URL
		if !u.Hierarchical() || !strings.HasSuffix(u.Text(), "/") {
			continue
		}
		s := serve(t, Options{}, u)
		res := s.get(u.Text(), "Accept: application/json")
		if res.status != 200 || res.header.Get("Content-Type") != "application/x-ndjson" {
			t.Fatalf("%s: %d %v", u, res.status, res.header)
		}
		n := 0
		for line := range strings.Lines(res.body) {
			var e struct{ Name, URL, Kind string }
			if err := json.Unmarshal([]byte(line), &e); err != nil || e.Name == "" || !strings.HasPrefix(e.URL, u.Text()) {
				t.Errorf("%s: %v", line, err)
			}
			n++
		}
		if page := s.get(u.Text()); strings.Count(page.body, `<a href="`+u.Text()) != n || n == 0 {
			t.Errorf("%d objects, but the page for a browser has %d links: %s", n, strings.Count(page.body, "<a href="), page.body)
		}
	}
}

// A problem is an object for a program.
func TestProblemDetails(t *testing.T) {
	s := serve(t, Options{})
	for target, want := range map[string]int{"ftp://10.0.0.1/": 403, "nosuch://host.dom/": 501, "gopher://host.dom:0/": 403, "http://" + s.addr + "/": 403} {
		res := s.get(target)
		var p struct {
			Type, Title, Detail, Instance string
			Status                        int
		}
		if err := json.Unmarshal([]byte(res.body), &p); err != nil || res.status != want || p.Status != want || p.Detail == "" || p.Instance != target {
			t.Errorf("%s: %d %s (%v)", target, res.status, res.body, err)
		}
	}
}

// A PUT stores a body where the gateway permits that.
func TestProxyPut(t *testing.T) {
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	u := files.URL("new.txt")
	denied := serve(t, Options{Permit: func(string, scheme.Op, locator.URL) bool { return false }}, u)
	if res := denied.send(http.MethodPut, u.Text(), "text"); res.status != http.StatusForbidden {
		t.Errorf("without permission: %d %s", res.status, res.body)
	}
	if _, ok := files.File("new.txt"); ok {
		t.Fatal("the file was stored without permission")
	}
	s := serve(t, Options{}, u)
	for _, text := range []string{"text\x00\r\n", "other"} {
		if res := s.send(http.MethodPut, u.Text(), text); res.status != http.StatusNoContent {
			t.Errorf("%d %s", res.status, res.body)
		}
		if b, _ := files.File("new.txt"); string(b) != text {
			t.Errorf("the file has %q", b)
		}
	}
	if res := s.send(http.MethodPost, u.Text(), "text"); res.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", res.status)
	}
	limited := serve(t, Options{Service: Service{Changes: Share{PerSecond: 0.01, Burst: 2}}}, u)
	for i := range 4 {
		want := http.StatusNoContent
		if i >= 2 {
			want = http.StatusTooManyRequests
		}
		if res := limited.send(http.MethodPut, u.Text(), "text"); res.status != want {
			t.Errorf("PUT %d: %d", i, res.status)
		}
	}
}

// A file has the date that the server knows, whatever the method, and is not sent again if it has not changed.
//
// Covers: G1
func TestProxyDate(t *testing.T) {
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	u := files.URL("etc", "motd")
	s := caching(t, Cache{Age: time.Nanosecond}, u)
	for _, path := range []string{u.Text(), string(pathOf(viewRaw, u))} {
		first := s.get(path)
		s.landed()
		head := s.send(http.MethodHead, path, "")
		date := first.header.Get("Last-Modified")
		if first.status != http.StatusOK || date == "" || head.header.Get("Last-Modified") != date {
			t.Errorf("%d, GET %q, HEAD %q", first.status, date, head.header.Get("Last-Modified"))
		}
		if res := s.get(path, "If-Modified-Since: "+date); res.status != http.StatusNotModified {
			t.Errorf("%d", res.status)
		}
		s.landed()
		s.want(s.get(path), cacheRenewed, "RFC 1738")
		s.landed()
	}
}
