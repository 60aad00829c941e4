package xtest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// The login of everything under /login/ (Basic) and /digest/ (RFC 7616).
const (
	User     = "alice"
	Password = "s3cret-pw"
)

// Option changes how a server is started.
type Option func(*Server)

// TLS makes it an https server, with HTTP/2. Its certificate is in [Server.Roots].
func TLS() Option { return func(s *Server) { s.secure = true } }

// HTTP1 leaves HTTP/2 out of a TLS server. Faults are those of HTTP/1.1, so a server that is to show them needs it.
func HTTP1() Option { return func(s *Server) { s.http1 = true } }

// Server is a running server.
type Server struct {
	secure, http1 bool
	roots         *x509.CertPool
	pem           []byte
	certificate   tls.Certificate
	tree          tree
	http          *http.Server
	listener      net.Listener
	port          int
	done          chan struct{} // closed when Serve has returned
	handlers      sync.WaitGroup

	mu     sync.Mutex
	fault  peer.Fault
	lines  []string
	conns  map[*conn]bool
	total  int
	closed bool
	nonces map[string]bool // given out and not used
}

var _ peer.Server = (*Server)(nil)

// Start serves files on a free port of 127.0.0.1.
func Start(files []peer.File, opts ...Option) (*Server, error) {
	s := &Server{conns: make(map[*conn]bool), done: make(chan struct{})}
	for _, o := range opts {
		o(s)
	}
	s.tree.fill(files)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	s.listener = &listener{l, s}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ErrorLog:          log.New(io.Discard, "", 0), // a client that misbehaves is what some tests are about
		ReadHeaderTimeout: time.Minute,
	}
	if s.secure {
		if err := s.certify(); err != nil {
			l.Close()
			return nil, err
		}
	}
	go func() {
		defer close(s.done)
		if s.secure {
			s.http.ServeTLS(s.listener, "", "")
		} else {
			s.http.Serve(s.listener)
		}
	}()
	return s, nil
}

// Addr is the host and port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// Roots holds the certificate of a TLS server.
func (s *Server) Roots() *x509.CertPool { return s.roots }

// PEM is that certificate as a file of authorities holds it.
func (s *Server) PEM() []byte { return s.pem }

// TLSConfig is the configuration of a TLS server, for another one on the same machine.
func (s *Server) TLSConfig() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{s.certificate}, MinVersion: tls.VersionTLS12}
}

// URL follows peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	u, err := locator.Build(&locator.HTTP{Secure: s.secure, Segments: path,
		Login: locator.Login{Hostport: locator.Hostport{Host: "127.0.0.1", Port: strconv.Itoa(s.port)}}})
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

func (s *Server) misbehaviour() peer.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// Connections follows peer.Server.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Lines are the request lines.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

// File follows peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	f, ok := s.tree.file(path)
	return []byte(f.Content), ok
}

// Close follows peer.Server.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	conns := s.conns
	s.conns = make(map[*conn]bool)
	s.mu.Unlock()
	s.http.Close()
	for c := range conns { // those that a fault has taken over, too
		c.Conn.Close()
	}
	<-s.done
	s.handlers.Wait()
}

// listener counts connections, and knows them so that Close can end them.
type listener struct {
	net.Listener
	s *Server
}

// Accept follows net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	wrapped := &conn{c, l.s}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.s.total++
	if l.s.closed {
		c.Close()
	} else {
		l.s.conns[wrapped] = true
	}
	return wrapped, nil
}

type conn struct {
	net.Conn
	s *Server
}

// Close follows net.Conn.
func (c *conn) Close() error {
	c.s.mu.Lock()
	delete(c.s.conns, c)
	c.s.mu.Unlock()
	return c.Conn.Close()
}
