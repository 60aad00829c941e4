package download

import (
	"fmt"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/tree"
)

// TestMirrorPages mirrors pages that link to each other: each page is one file, with the time of
// the server, whatever URL leads to it. An unchanged page is not written again, and one that is
// gone from the server is removed with its folder.
//
// Covers: A4, A6
func TestMirrorPages(t *testing.T) {
	t.Parallel()
	const page = `<a href="index.html">self</a> <a href="sub/">sub</a> <a href="a.txt">a</a> %s`
	const below = `<a href="../index.html">up</a> <a href="b.txt">b</a>`
	const gonePage = "<pre><a href=\"a.txt\">a.txt</a>                   01-Dec-1994 16:00                   1\n</pre>"
	var gone atomic.Bool
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Dec 1994 16:00:00 GMT")
		text, ok := map[string]string{"/": fmt.Sprintf(page, "1"), "/index.html": fmt.Sprintf(page, "1"), "/sub/": below, "/sub/index.html": below, "/a.txt": "a", "/sub/b.txt": "b"}[r.URL.Path]
		if gone.Load() {
			text, ok = map[string]string{"/": gonePage, "/a.txt": "a"}[r.URL.Path]
		}
		if !ok {
			w.WriteHeader(nethttp.StatusNotFound)
			return
		}
		if filepath.Ext(r.URL.Path) == ".txt" {
			w.Header().Set("Content-Type", "text/plain")
		} else {
			w.Header().Set("Content-Type", "text/html")
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
	t.Cleanup(func() { c.Close() })
	dir, kept := t.TempDir(), 0
	run := func(o MirrorOptions) {
		t.Helper()
		to, err := OpenFolder(dir)
		if err == nil {
			err = to.UseIndex()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		o.Existing, o.Delete = Update, true
		o.Kept = func(string, int64) { kept++ }
		if err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, to, o); err != nil {
			t.Error(err)
		}
	}
	want := func(want map[string]string, stored int) {
		t.Helper()
		got := files(t, dir)
		delete(got, IndexName)
		if !maps.Equal(got, want) || kept != stored {
			t.Errorf("files %q, want %q; %d pages stored, want %d", got, want, kept, stored)
		}
	}
	all := map[string]string{"index.html": fmt.Sprintf(page, "1"), "a.txt": "a", "sub/index.html": below, "sub/b.txt": "b"}
	run(MirrorOptions{})
	if in, err := os.Stat(filepath.Join(dir, "index.html")); err != nil || in.ModTime().UTC().Format(nethttp.TimeFormat) != "Thu, 01 Dec 1994 16:00:00 GMT" {
		t.Errorf("%v, %v", in, err)
	}
	want(all, 2)
	run(MirrorOptions{})
	want(all, 2)
	gone.Store(true)
	run(MirrorOptions{})
	want(map[string]string{"index.html": gonePage, "a.txt": "a"}, 3)
}

// A page that may be about something else, and entries that robots.txt forbids, remove nothing.
func TestMirrorDeletePages(t *testing.T) {
	t.Parallel()
	const row = "%s<a href=\"%s\">%s</a>                   01-Dec-1994 16:00                   1\n"
	index := "<pre>" + fmt.Sprintf(row, "", "a.txt", "a.txt") + fmt.Sprintf(row, "", "b.txt", "b.txt") + "</pre>"
	for name, later := range map[string]map[string]string{
		"back soon":  {"/": "<p>Back soon", "/robots.txt": ""},
		"with links": {"/": `<a href="login">log in</a>`, "/login": "x", "/robots.txt": ""},
		"redirected": {"/": "301 /elsewhere/", "/elsewhere/": "<pre>" + fmt.Sprintf(row, "", "c.txt", "c.txt") + "</pre>", "/elsewhere/c.txt": "c", "/robots.txt": ""},
		"robots":     {"/": index, "/a.txt": "a", "/b.txt": "b", "/robots.txt": "User-agent: *\nDisallow: /b.txt\n"},
		"no robots":  {"/": index, "/a.txt": "a", "/b.txt": "b", "/robots.txt": "503 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := map[string]string{"/": index, "/a.txt": "a", "/b.txt": "b", "/robots.txt": ""}
			var mu sync.Mutex
			server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
				mu.Lock()
				defer mu.Unlock()
				text, ok := pages[r.URL.Path]
				if !ok {
					w.WriteHeader(nethttp.StatusNotFound)
					return
				}
				if at, ok := strings.CutPrefix(text, "301 "); ok {
					nethttp.Redirect(w, r, at, nethttp.StatusMovedPermanently)
					return
				}
				if text == "503 " {
					w.WriteHeader(nethttp.StatusServiceUnavailable)
					return
				}
				if filepath.Ext(r.URL.Path) != ".txt" {
					w.Header().Set("Content-Type", "text/html")
				}
				fmt.Fprint(w, text)
			}))
			t.Cleanup(server.Close)
			c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
			t.Cleanup(func() { c.Close() })
			dir := t.TempDir()
			for range 2 {
				to := openFolder(t, dir)
				if err := to.UseIndex(); err != nil {
					t.Fatal(err)
				}
				o := MirrorOptions{Options: Options{Existing: Update}, Delete: true, Walk: tree.WalkOptions{Robots: "test"},
					Deleted: func(path string) { t.Errorf("%s is removed", path) }}
				Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, to, o)
				to.Close()
				mu.Lock()
				pages = later
				mu.Unlock()
			}
			if got := files(t, dir); got["a.txt"] != "a" || got["b.txt"] != "b" {
				t.Errorf("files %q", got)
			}
		})
	}
}
