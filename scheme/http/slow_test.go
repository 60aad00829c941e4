package http_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/schemetest/peer"
)

// A response header may take only so long, as one line, as many, or as informational responses without end. A body is exempt.
//
// Covers: A6, P6, T59
func TestSlowHeader(t *testing.T) {
	t.Parallel()
	const idle = time.Second
	var longest atomic.Int64 // pause of the server, which a busy machine makes longer
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		send := func(pieces ...string) {
			for _, piece := range pieces {
				if _, err := io.WriteString(c, piece); err != nil {
					return
				}
				began := time.Now()
				time.Sleep(20 * time.Millisecond)
				longest.Store(max(longest.Load(), int64(time.Since(began))))
			}
		}
		switch req.URL.Path {
		case "/line":
			send(strings.Split("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 100)+"\r\n\r\n", "")...)
		case "/lines":
			send("HTTP/1.1 200 OK\r\n")
			for range 100 {
				send("X: y\r\n")
			}
		case "/processing":
			for range 100 {
				send("HTTP/1.1 102 Processing\r\n\r\n")
			}
		case "/body":
			send("HTTP/1.1 200 OK\r\nContent-Length: 80\r\n\r\n")
			send(strings.Split(strings.Repeat("x", 80), "")...)
		}
	})
	c := web(t, func(o *client.Options) {
		o.Limits = scheme.Limits{Idle: idle, LineTime: idle, ReplyTime: idle * 6 / 5}
	})
	for path, want := range map[string]scheme.Code{"line": scheme.CodeBroken, "lines": scheme.CodeBroken, "processing": scheme.CodeBroken, "body": scheme.CodeOK} {
		var err error
		began := time.Now()
		for range 3 {
			longest.Store(0)
			var res *scheme.Resource
			if res, err = c.Access(t.Context(), scheme.Request{URL: locator.MustParse("http://" + h.Addr() + "/" + path)}, nil); err == nil {
				_, err = io.ReadAll(res.Body)
				res.Close()
			}
			if longest.Load() < int64(idle/2) {
				break
			}
		}
		if client.CodeOf(err) != want {
			t.Errorf("%s: %v after %v, want %v", path, err, time.Since(began), want)
		}
		if err != nil && !strings.Contains(err.Error(), "limit of") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
