//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five
// times as long and find nothing.

package download

import (
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
)

// Thousands of equal names get different numbers, in little time.
//
// Covers: P6, T40
func TestFolderManyAlike(t *testing.T) {
	t.Parallel()
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := make(map[string]bool)
	for range 20_000 {
		to, err := f.File(parse(t, "x-tree://h/f"), []string{strings.Repeat("long", 80) + ".txt"})
		if err != nil || seen[to.Name] {
			t.Fatalf("%+v, %v: %d names before", to, err, len(seen))
		}
		seen[to.Name] = true
	}
}

// A page that is too long to be held in memory is a failure, and its files are downloaded.
//
// Covers: P6
func TestMirrorLongPage(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path != "/" {
			io.WriteString(w, "A")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<pre><a href=\"a\">a</a> 1994-12-01 10:00 1\n")
		for range 17 << 10 {
			io.WriteString(w, "<!--"+strings.Repeat("x", 1<<10)+"-->\n")
		}
		io.WriteString(w, "</pre></body></html>")
	}))
	defer server.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
	defer c.Close()
	dir := t.TempDir()
	err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, openFolder(t, dir), MirrorOptions{})
	wantCode(t, err, scheme.CodeBroken)
	if got := files(t, dir); got["a"] != "A" || got["index.html"] != "" || !strings.Contains(err.Error(), "16777216 bytes") {
		t.Errorf("%v, files %.100q", err, got)
	}
}
