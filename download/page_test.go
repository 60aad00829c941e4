package download

import (
	"fmt"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

// TestMirrorPages mirrors pages that link to each other: each page is one file, with the time of the server, whatever URL leads
// to it. An unchanged page is not written again, and one that is gone from the server is removed with its folder.
//
// Covers: A4, A6
func TestMirrorPages(t *testing.T) {
	t.Parallel()
	const page = `<a href="index.html">self</a> <a href="sub/">sub</a> <a href="a.txt">a</a> %s`
	const below = `<a href="../index.html">up</a> <a href="b.txt">b</a>`
	var gone atomic.Bool
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Dec 1994 16:00:00 GMT")
		text, ok := map[string]string{"/": fmt.Sprintf(page, "1"), "/index.html": fmt.Sprintf(page, "1"), "/sub/": below, "/sub/index.html": below, "/a.txt": "a", "/sub/b.txt": "b"}[r.URL.Path]
		if gone.Load() {
			text, ok = map[string]string{"/": `<a href="a.txt">a</a>`, "/a.txt": "a"}[r.URL.Path]
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
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: allowAll{}})
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
		delete(got, indexName)
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
	want(map[string]string{"index.html": `<a href="a.txt">a</a>`, "a.txt": "a"}, 3)
}
