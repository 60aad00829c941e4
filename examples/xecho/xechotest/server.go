package xechotest

import (
	"bufio"
	"net"
	"strings"
	"sync"

	"locator"
	"locator/schemetest/peer"

	"xecho"
)

// Server is an echo server.
type Server struct {
	*peer.Host

	mu    sync.Mutex
	texts map[string]string
}

// Start starts a server with the files. The caller must Close it.
func Start(tree []peer.File) (*Server, error) {
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{Host: h, texts: make(map[string]string)}
	for _, f := range tree {
		s.texts[strings.Join(f.Path, "/")] = f.Content
	}
	s.Serve(s.answer)
	return s, nil
}

// URL implements peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	u, err := xecho.URL(s.Addr(), strings.Join(path, "/"))
	if err != nil {
		return locator.URL{}
	}
	return u
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	text, ok := s.text(strings.Join(path, "/"))
	return []byte(text), ok
}

func (s *Server) text(name string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.texts[name]
	return text, ok
}

func (s *Server) put(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[name] = text
}

// maxLine bounds a request, in bytes.
const maxLine = 8 << 10

func (s *Server) answer(c net.Conn) {
	d := &dialogue{s: s, c: c, r: bufio.NewReaderSize(c, maxLine)}
	line, ok := d.line()
	if !ok {
		return
	}
	s.Seen(line)
	if !d.misbehaves() {
		d.answer(line)
	}
}
