package gateway

import (
	"bufio"
	"io"
	"net"
	"net/http"
	nethttptest "net/http/httptest"
	"strings"
	"testing"

	"locator"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// What a browser could run as a program of the gateway is sent as text or as a file, in a sandbox.
//
// Covers: G2
func TestSafeType(t *testing.T) {
	for in, want := range map[string]string{
		"text/html": "text/plain", "text/html; charset=utf-8": "text/plain; charset=utf-8", "image/svg+xml": "text/plain", "application/xhtml+xml": "text/plain",
		"text/xml": "text/plain", "application/javascript": "text/plain", "text/css": "text/plain", "application/pdf": "application/octet-stream",
		"image/png": "image/png", "IMAGE/GIF; x=y": "image/gif", "audio/basic": "audio/basic", "video/mpeg": "video/mpeg", "application/x-shockwave-flash": "application/octet-stream",
		"multipart/x-mixed-replace; boundary=x": "application/octet-stream", "": "application/octet-stream", "text/html\x00": "text/plain", "image/png, text/html": "application/octet-stream",
		"video/mp4, text/html": "application/octet-stream", "audio/x,text/html;": "application/octet-stream", "video/": "application/octet-stream", "video/mp4; x": "video/mp4",
	} {
		if got := safeType(in); got != want {
			t.Errorf("safeType(%q) = %q, want %q", in, got, want)
		}
	}
}

// Covers: G1, G2
func TestRaw(t *testing.T) {
	tree := []peer.File{{Path: []string{"a.html"}, Content: "<script>alert(1)</script>"}, {Path: []string{"b.bin"}, Content: strings.Repeat("\x00\x01", 500)}, {Path: []string{"c.txt"}, Content: "0123456789"}}
	web, err := httptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	s := serve(t, Options{}, web.URL())
	for name, wantType := range map[string]string{"a.html": "text/plain", "b.bin": "application/octet-stream", "c.txt": "text/plain"} {
		res := s.get(string(pathOf(viewRaw, web.URL(name))))
		h := res.header
		if got, _, _ := strings.Cut(h.Get("Content-Type"), ";"); res.status != 200 || got != wantType || !strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, res.status, h)
		}
		if isFile := strings.HasPrefix(h.Get("Content-Disposition"), "attachment"); isFile != (wantType == "application/octet-stream") {
			t.Errorf("%s: Content-Disposition %q", name, h.Get("Content-Disposition"))
		}
	}
	if res := s.get(string(pathOf(viewFile, web.URL("a.html")))); !strings.Contains(res.header.Get("Content-Disposition"), "attachment; filename=a.html") {
		t.Errorf("download: %d %v", res.status, res.header)
	}
	path := string(pathOf(viewRaw, web.URL("c.txt")))
	for spec, want := range map[string]string{"bytes=2-4": "234", "bytes=7-": "789", "bytes=0-0": "0"} {
		if res := s.get(path, "Range: "+spec); res.status != http.StatusPartialContent || res.body != want || res.header.Get("Content-Length") == "" {
			t.Errorf("%s: %d %q %v", spec, res.status, res.body, res.header)
		}
	}
	for _, spec := range []string{"bytes=4-2", "bytes=a-b", "lines=1-2", "bytes=1-2,4-5", "bytes=-"} {
		if res := s.get(path, "Range: "+spec); res.status != http.StatusOK || res.body != "0123456789" {
			t.Errorf("%s: %d %q", spec, res.status, res.body)
		}
	}
	tag := s.get(path).header.Get("ETag")
	if res := s.get(path, "If-None-Match: "+tag); tag == "" || res.status != http.StatusNotModified || res.body != "" {
		t.Errorf("If-None-Match %s: %d %q", tag, res.status, res.body)
	}
	if res := s.send(http.MethodHead, path, ""); res.status != http.StatusOK || res.header.Get("Content-Length") != "10" {
		t.Errorf("HEAD: %d %v", res.status, res.header)
	}
}

// A part whose end nobody knows cannot be described: the whole is sent. So it is if nothing is left after the offset.
func TestRangeOfUnknownSize(t *testing.T) {
	for name, options := range map[string][]ftptest.Option{"known": nil, "unknown": {ftptest.NoSIZE(), ftptest.Unannounced()}} {
		files, err := ftptest.Start([]peer.File{{Path: []string{"c.bin"}, Content: "0123456789"}}, options...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(files.Close)
		s := serve(t, Options{}, files.URL())
		known := name == "known"
		path := string(pathOf(viewRaw, files.URL("c.bin")))
		for _, x := range []struct{ spec, body, part string }{
			{"bytes=4-", "456789", "bytes 4-9/10"}, {"bytes=8-20", "89", "bytes 8-9/10"}, {"bytes=10-", "0123456789", ""}, {"bytes=10-12", "0123456789", ""}, {"bytes=2-4", "234", "bytes 2-4/10"},
		} {
			if !known && x.spec == "bytes=2-4" {
				x.part = "bytes 2-4/*"
			} else if !known && x.spec != "bytes=4-" {
				continue
			} else if !known {
				x.body, x.part = "0123456789", ""
			}
			status := map[bool]int{true: http.StatusOK, false: http.StatusPartialContent}[x.part == ""]
			if res := s.get(path, "Range: "+x.spec); res.status != status || res.body != x.body || res.header.Get("Content-Range") != x.part || res.err != nil {
				t.Errorf("size %s, %s: %d %q %v %v", name, x.spec, res.status, res.body, res.header, res.err)
			}
		}
	}
}

// A body that breaks off must not look complete.
func TestCutBody(t *testing.T) {
	tree := []peer.File{{Path: []string{"big.bin"}, Content: strings.Repeat("x", 1<<20)}}
	web, err := httptest.Start(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	web.Misbehave(peer.Torn)
	s := serve(t, Options{}, web.URL())
	for _, target := range []string{string(pathOf(viewRaw, web.URL("big.bin"))), web.URL("big.bin").Text()} {
		if res := s.get(target); res.err == nil && res.status == http.StatusOK {
			t.Errorf("%s: %d bytes as if they were all", target, len(res.body))
		}
	}
}

// A body of unknown length that breaks off must not look complete either, and no page of another site frames what is raw.
func TestCutChunks(t *testing.T) {
	addr := scripted(t, func(in *bufio.Reader, c net.Conn) {
		in.ReadString('\n')
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo")
	})
	u := locator.MustParse("http://" + addr + "/a.png")
	s := serve(t, Options{}, u)
	for _, target := range []string{string(pathOf(viewRaw, u)), u.Text()} {
		if res := s.get(target); res.err == nil && res.status == http.StatusOK {
			t.Errorf("%s: %q as if it were all", target, res.body)
		}
	}
	if res := s.get(string(pathOf(viewRaw, u))); res.header.Get("X-Frame-Options") != "DENY" || res.header.Get("Cross-Origin-Resource-Policy") != "same-origin" || res.header.Get("Referrer-Policy") != "no-referrer" || res.header.Get("X-Robots-Tag") != "noindex, nofollow" {
		t.Errorf("%v", res.header)
	}
}

// An entity tag of a server is one line of the header.
func TestHostileETag(t *testing.T) {
	w := nethttptest.NewRecorder()
	x := &exchange{w: w, r: nethttptest.NewRequest(http.MethodGet, "/", nil)}
	x.send(&scheme.Resource{Kind: scheme.KindObject, Attr: scheme.Attr{ETag: "\"a\r\nSet-Cookie: b\x00\""}})
	if tag := w.Header().Get("ETag"); !strings.HasPrefix(tag, "\"a") || strings.ContainsAny(tag, "\r\n\x00") {
		t.Errorf("%q", tag)
	}
}
