package http_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
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
				time.Sleep(20 * time.Millisecond)
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
			send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")
			send(strings.Split(strings.Repeat("x", 40), "")...)
		}
	})
	c := web(t, func(o *client.Options) {
		o.Limits = scheme.Limits{Idle: 400 * time.Millisecond, LineTime: 500 * time.Millisecond, ReplyTime: 600 * time.Millisecond}
	})
	for path, want := range map[string]scheme.Code{"line": scheme.CodeBroken, "lines": scheme.CodeBroken, "processing": scheme.CodeBroken, "body": scheme.CodeOK} {
		began := time.Now()
		res, err := c.Access(t.Context(), scheme.Request{URL: locator.MustParse("http://" + h.Addr() + "/" + path)}, nil)
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Close()
		}
		if client.CodeOf(err) != want {
			t.Errorf("%s: %v after %v, want %v", path, err, time.Since(began), want)
		}
		if err != nil && !strings.Contains(err.Error(), "limit of") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
