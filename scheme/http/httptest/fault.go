package httptest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// show simulates the fault f. It returns false if this request has to be answered as usual. Faults need HTTP/1.1.
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
		wait(c)
	case peer.StallBody:
		c.Write(answer[:half])
		wait(c)
	case peer.Torn:
		c.Write(answer[:half])
	case peer.EndlessLine:
		io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Endless: ")
		forever(c, strings.Repeat("x", 4<<10))
	case peer.EndlessList:
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html><body><pre>")
		endless(c)
	case peer.Nonsense:
		io.WriteString(c, "220 \x1b[31mthis is not HTTP\r\n")
	case peer.WrongCode:
		io.WriteString(c, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")
	case peer.Unavailable:
		io.WriteString(c, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	case peer.Drip:
		drip(c, answer)
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

// wait blocks until either side closes the connection.
func wait(c net.Conn) { io.Copy(io.Discard, c) }

func forever(c net.Conn, text string) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
}

func endless(c net.Conn) {
	modified := time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)
	for n := 0; ; n++ {
		if _, err := io.WriteString(c, row(fmt.Sprintf("file%d", n), false, peer.File{Modified: modified})); err != nil {
			return
		}
	}
}

// A dripping response sends its first bytes one at a time with a pause, and the rest in small pieces.
const (
	dripPause  = 2 * time.Millisecond
	dripOctets = 200
	dripPiece  = 1 << 10
)

func drip(c net.Conn, answer []byte) {
	n := min(dripOctets, len(answer))
	for i := range n {
		if _, err := c.Write(answer[i : i+1]); err != nil {
			return
		}
		time.Sleep(dripPause)
	}
	for rest := answer[n:]; len(rest) > 0; {
		n := min(dripPiece, len(rest))
		if _, err := c.Write(rest[:n]); err != nil {
			return
		}
		rest = rest[n:]
	}
}
