package download

import (
	"bytes"
	"compress/gzip"
	nethttp "net/http"
	"net/http/httptest"
	"testing"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/scheme/http"
	"locator/transfer"
)

// A file has the bytes that the server sends, even if it sends them with Content-Encoding: gzip: the checksum is that of the publisher, a
// download that broke off is resumed, and nothing is decompressed.
//
// Covers: A6, P6, T86
func TestCompressed(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(octets(200_000))
	z.Write(make([]byte, 100<<20)) // a bomb of 100 KB
	z.Close()
	requests := 0
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Etag", `"1"`)
		if requests++; requests == 1 {
			w = cutting{w}
		}
		nethttp.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(packed.Bytes()))
	}))
	defer server.Close()
	c := client.New(client.Options{Registry: scheme.NewRegistry(http.New("http")), Policy: &allowAll{}})
	defer c.Close()
	f := place(t)
	var notes []string
	out, err := Fetch(t.Context(), c, scheme.Request{URL: parse(t, server.URL+"/a.tar.gz")}, f, Options{SHA256: sha(packed.Bytes()), Quota: transfer.NewQuota(int64(packed.Len())), Retries: 1,
		Events: Events{Note: func(text string) { notes = append(notes, text) }}})
	if err != nil || !out.Resumed || out.Bytes != int64(packed.Len()) || requests != 2 || len(notes) > 0 {
		t.Errorf("%+v, %v, %d requests, notes %q", out, err, requests, notes)
	}
	wantWhole(t, f, packed.Bytes())
}

// cutting breaks the connection after 128 KiB of the body.
type cutting struct{ nethttp.ResponseWriter }

func (c cutting) Write(p []byte) (int, error) {
	c.ResponseWriter.Write(p[:min(len(p), 128<<10)])
	c.ResponseWriter.(nethttp.Flusher).Flush()
	panic(nethttp.ErrAbortHandler)
}
