//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five times as long and find nothing.

package download

import (
	"compress/gzip"
	"errors"
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
// Covers: P6
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
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: allowAll{}})
	defer c.Close()
	dir := t.TempDir()
	err := Mirror(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/")}, openFolder(t, dir), MirrorOptions{})
	wantCode(t, err, scheme.CodeBroken)
	if got := files(t, dir); got["a"] != "A" || got["index.html"] != "" || !strings.Contains(err.Error(), "16777216 bytes") {
		t.Errorf("%v, files %.100q", err, got)
	}
}

// A quota bounds what a compressed body expands to, and not only a file that has a size.
//
// Covers: P6
func TestQuotaOfABomb(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		for zeros := make([]byte, 1<<20); ; {
			if _, err := z.Write(zeros); err != nil || r.Context().Err() != nil {
				return
			}
		}
	}))
	defer server.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: allowAll{}})
	defer c.Close()
	f := place(t)
	out, err := Fetch(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/bomb")}, f, Options{Quota: NewQuota(3_000_000), Retries: 3})
	wantCode(t, err, scheme.CodeBroken)
	if !errors.Is(err, ErrQuota) || out.Kept != 3_000_000 {
		t.Errorf("%v, kept %d bytes", err, out.Kept)
	}
}
