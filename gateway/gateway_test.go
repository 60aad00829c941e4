package gateway

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"locator"
	"locator/find"
	"locator/internal/tour"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// Each URL of the tour has a page, which says what its kind is for.
//
// Covers: G1
func TestPages(t *testing.T) {
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
		res := s.page(u)
		if u.Scheme() == "mailto" || u.Scheme() == "telnet" {
			continue
		}
		h := res.header
		if res.status != http.StatusOK || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || strings.Contains(h.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: %d, %v", u, res.status, h)
		}
		if !strings.Contains(res.body, "</html>") || !strings.Contains(res.body, "<summary>Explain</summary>") {
			t.Errorf("%s: the page is not whole: %s", u, res.body)
		}
		for name, want := range map[string]string{"X-Robots-Tag": "noindex, nofollow", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q", u, name, got)
			}
		}
		text := html.UnescapeString(res.body)
		for _, want := range []string{`data-copy="` + u.Text() + `"`, "<code>" + find.Wrap(u, 0) + "</code>"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in the page", u, want)
			}
		}
		if strings.Contains(res.body, "ZgotmplZ") || strings.Contains(res.body, " style=") {
			t.Errorf("%s: %s", u, res.body)
		}
	}
}

func TestHost(t *testing.T) {
	s := serve(t, Options{Hosts: []string{"gate.example"}})
	for host, want := range map[string]int{
		s.addr: 200, "localhost:1": 200, "gate.example": 200, "GATE.example:80": 200, "[::1]:1738": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "": 421,
	} {
		if res := s.get("/", "Host: "+host); res.status != want {
			t.Errorf("Host %q: %d", host, res.status)
		}
	}
}

func TestMethods(t *testing.T) {
	s := serve(t, Options{})
	for _, tt := range []struct {
		method, target string
		want           int
	}{
		{"CONNECT", "host.dom:443", 405}, {"DELETE", "/ftp://host.dom/a", 501}, {"TRACE", "/", 501}, {"PUT", "/ftp://host.dom/a", 405}, {"POST", "/", 405}, {"HEAD", "/", 200},
	} {
		if res := s.send(tt.method, tt.target, ""); res.status != tt.want {
			t.Errorf("%s %s: %d", tt.method, tt.target, res.status)
		}
	}
}

// A password in a URL is in no page and no log: the browser is sent to the URL without it, and asked for a login.
func TestPassword(t *testing.T) {
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{}, files.URL("etc", "motd"))
	with, err := files.URL("etc", "motd").WithUser(locator.Some(ftptest.Alice), locator.Some(ftptest.Password))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/" + with.Text(), "/-/raw/" + with.Text(), "/-/view/sort=size/" + with.Text()} {
		res := s.get(path)
		if to := res.header.Get("Location"); res.status != http.StatusSeeOther || !strings.Contains(to, ftptest.Alice+"@") {
			t.Errorf("%s: %d to %q", path, res.status, to)
		}
		if strings.Contains(res.body+res.header.Get("Location"), ftptest.Password) {
			t.Errorf("%s: %v %s", path, res.header, res.body)
		}
	}
	if res := s.get("/-/explain/" + with.Text()); strings.Contains(res.body, ftptest.Password) {
		t.Errorf("explain: %s", res.body)
	}
	bad := s.get("/ftp://" + ftptest.Alice + ":" + ftptest.Password + "@host.dom:x/")
	if bad.status != http.StatusBadRequest || strings.Contains(bad.body, ftptest.Password) {
		t.Errorf("a malformed URL: %d, %s", bad.status, bad.body)
	}
	for _, text := range []string{"URL:ftp://ann:" + ftptest.Password + "@host.dom:x", "ann:" + ftptest.Password + "@host.dom"} { // of schemes that there are not
		for _, path := range []string{"/" + text, "/-/go?url=" + url.QueryEscape(text), "/-/explain/" + text} {
			if res := s.get(path); strings.Contains(res.body+res.header.Get("Location"), ftptest.Password) {
				t.Errorf("%s: %d to %q: %s", path, res.status, res.header.Get("Location"), res.body)
			}
		}
	}
	if log := s.log.String(); strings.Contains(log, ftptest.Password) || !strings.Contains(log, "status=303") {
		t.Errorf("log: %s", log)
	}
}
