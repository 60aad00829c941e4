package telnettest

import (
	"net"
	"strconv"
	"sync"

	"locator"
	"locator/schemetest/peer"
)

// Welcome is the greeting of a server.
const Welcome = "Welcome to telnettest\r\n"

// Server is a telnet server on a free port of 127.0.0.1. It answers each line with "you said: " and
// the line, with these exceptions:
//
//	exit      says "Bye", and ends the session
//	half      ends its output, and goes on reading
//	reset     resets the connection
//	size      says the size of the window that the client has sent last
//	type      asks for the next terminal type, and says it
//	secret    asks for a line without echo
type Server struct {
	*peer.Host
	behavior behavior

	mu       sync.Mutex
	received []byte
	events   []string
}

var _ peer.Server = (*Server)(nil)

// Start starts a server. The caller must Close it.
func Start(opts ...Option) (*Server, error) {
	b := behavior{greeting: Welcome}
	for _, o := range opts {
		o(&b)
	}
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{Host: h, behavior: b}
	s.Serve(func(raw net.Conn) { s.serve(raw) })
	return s, nil
}

// URL implements peer.Server. All paths have the same URL.
func (s *Server) URL(...string) locator.URL { return s.url(locator.Login{}) }

// LoginURL returns the URL with a user and a password.
func (s *Server) LoginURL(user, password string) locator.URL {
	return s.url(locator.Login{User: locator.Some(user), Password: locator.Some(password)})
}

func (s *Server) url(l locator.Login) locator.URL {
	l.Hostport = locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}
	u, err := locator.Build(&locator.Telnet{Secure: s.behavior.tls != nil, Login: l})
	if err != nil {
		panic("telnettest: " + err.Error()) // a host, a port, and text that is escaped
	}
	return u
}

// File implements peer.Server. There are no files.
func (*Server) File(...string) ([]byte, bool) { return nil, false }

// Received returns all octets that clients have sent, commands included.
func (s *Server) Received() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]byte(nil), s.received...)
}

// Events returns the commands that clients have sent, in the form of a trace: "WILL NAWS", "SB NAWS
// 80 24", "AYT".
func (s *Server) Events() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.events...)
}

func (s *Server) note(octets []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, octets...)
}

func (s *Server) event(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, text)
}
