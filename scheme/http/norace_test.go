//go:build !race

// The tests of this file process much data in one goroutine: the race detector would take five
// times as long and find nothing.

package http_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// TestBomb reads compressed bodies that expand a thousand times. Limits.Body bounds what they
// expand to.
//
// Covers: P6, T86
func TestBomb(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	s := newScript(t, ok(bomb.String(), "Content-Encoding: gzip"), ok(bomb.String(), "Content-Encoding: gzip, gzip"))
	c := web(t, func(o *client.Options) { o.Limits.Body = 1 << 20 })
	for _, what := range []string{"once", "twice"} {
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://"+s.addr+"/x")}, nil)
		if err != nil {
			wantCode(t, err, scheme.CodeProtocol)
			continue
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Close()
		if what == "once" {
			wantCode(t, err, scheme.CodeBroken)
		}
		if n > 1<<20 {
			t.Errorf("%s: %d bytes", what, n)
		}
	}
}

// TestBarren reads a compressed body of empty blocks, which expands to nothing for ever.
//
// Covers: P6, T113
func TestBarren(t *testing.T) {
	t.Parallel()
	begin := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
	reply := func(mib int) string {
		return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + begin + strings.Repeat("\x00\x00\x00\xff\xff", mib<<20/5) + hangUp
	}
	s := newScript(t, reply(32), reply(1))
	c := web(t)
	for _, want := range []string{"compressed data contain nothing", "ended too early"} {
		_, body, err := get(t, c, scheme.Request{URL: parse(t, "http://"+s.addr+"/x")})
		if err == nil || !strings.Contains(err.Error(), want) || body != "" {
			t.Errorf("%.40q, %v; want %q", body, err, want)
		}
	}
}
