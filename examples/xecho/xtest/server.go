package xtest

import (
	"bufio"
	"net"
	"slices"
	"strings"
	"sync"

	"locator"
	"locator/schemetest/peer"

	"xecho"
)

// Server is an echo server.
type Server struct {
	listener net.Listener
	wg       sync.WaitGroup

	mu          sync.Mutex
	texts       map[string]string
	fault       peer.Fault
	connections int
	lines       []string
	open        map[net.Conn]bool
	closed      bool
}

// Start starts a server that holds the files. The caller closes it.
func Start(tree []peer.File) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, texts: make(map[string]string), open: make(map[net.Conn]bool)}
	for _, f := range tree {
		s.texts[strings.Join(f.Path, "/")] = f.Content
	}
	s.wg.Go(s.accept)
	return s, nil
}

// Host is the server's host and port.
func (s *Server) Host() string { return s.listener.Addr().String() }

// URL follows peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	u, err := xecho.URL(s.Host(), strings.Join(path, "/"))
	if err != nil {
		return locator.URL{}
	}
	return u
}

// Misbehave follows peer.Server.
func (s *Server) Misbehave(f peer.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Connections follows peer.Server.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// Lines follows peer.Server.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// File follows peer.Server.
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

// Close follows peer.Server.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.listener.Close()
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.connections++
		s.open[c] = true
		if s.closed {
			c.Close()
		}
		s.mu.Unlock()
		s.wg.Go(func() { s.serve(c) })
	}
}

// maxLine bounds a request.
const maxLine = 8 << 10

func (s *Server) serve(c net.Conn) {
	defer func() {
		c.Close()
		s.mu.Lock()
		delete(s.open, c)
		s.mu.Unlock()
	}()
	d := &dialogue{s: s, c: c, r: bufio.NewReaderSize(c, maxLine)}
	line, ok := d.line()
	if !ok {
		return
	}
	s.mu.Lock()
	s.lines = append(s.lines, line)
	s.mu.Unlock()
	if !d.misbehaves() {
		d.answer(line)
	}
}
