package httptest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// show simulates the fault f. It returns false if this request has to be answered as usual. Faults
// need HTTP/1.1.
func (s *Server) show(f peer.Fault, w http.ResponseWriter, r *http.Request) bool {
	h, ok := w.(http.Hijacker)
	if !ok {
		return false
	}
	var answer []byte
	if f == peer.StallBody || f == peer.Torn || f == peer.Drip {
		if answer, ok = s.render(r); !ok {
			return false
		}
	}
	c, _, err := h.Hijack()
	if err != nil {
		return false
	}
	defer c.Close()
	half := bytes.Index(answer, []byte("\r\n\r\n")) + 4
	half += (len(answer) - half) / 2
	switch f {
	case peer.Stall:
		peer.Hang(c)
	case peer.StallBody:
		c.Write(answer[:half])
		peer.Hang(c)
	case peer.Torn:
		c.Write(answer[:half])
	case peer.EndlessLine:
		io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Endless: ")
		peer.Flood(c, func(int) string { return strings.Repeat("x", 4<<10) })
	case peer.EndlessList:
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html><body><pre>")
		modified := time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)
		peer.Flood(c, func(n int) string { return row(fmt.Sprintf("file%d", n), false, peer.File{Modified: modified}) })
	case peer.Nonsense:
		io.WriteString(c, "220 \x1b[31mthis is not HTTP\r\n")
	case peer.WrongCode:
		io.WriteString(c, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")
	case peer.Unavailable:
		io.WriteString(c, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	case peer.Drip:
		_ = peer.WriteSlowly(c, answer)
	}
	return true
}

// render returns the whole response for a file.
func (s *Server) render(r *http.Request) ([]byte, bool) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	f, ok := s.tree.file(strings.Split(name, "/"))
	if !ok || r.Method != http.MethodGet {
		return nil, false
	}
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		typeOf(name), len(f.Content), f.Content), true
}
