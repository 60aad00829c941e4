package httptest

import (
	"bytes"
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

// The login for /login/ (Basic) and /digest/ (RFC 7616).
const (
	User     = "alice"
	Password = "s3cret-pw"
)

// Option configures a server.
type Option func(*Server)

// TLS returns an option for an https server with HTTP/2. [Server.Roots] has its certificate.
func TLS() Option { return func(s *Server) { s.secure = true } }

// HTTP1 returns an option that disables HTTP/2 on a TLS server. Faults need HTTP/1.1.
func HTTP1() Option { return func(s *Server) { s.http1 = true } }

// RequireCertificate returns an option for a TLS server that answers as nginx does if the client
// has no certificate, or one other than that of the server.
func RequireCertificate() Option { return func(s *Server) { s.required = true } }

// Server is a running server.
type Server struct {
	*peer.Host
	secure, http1 bool
	required      bool // a client certificate
	certificate   *peer.Certificate
	tree          tree
	http          *http.Server
	handlers      sync.WaitGroup

	mu     sync.Mutex
	nonces map[string]bool // issued and not yet used
}

var _ peer.Server = (*Server)(nil)

// Start starts a server for files on a free port of 127.0.0.1. The caller must Close it.
func Start(files []peer.File, opts ...Option) (*Server, error) {
	s := &Server{}
	for _, o := range opts {
		o(s)
	}
	s.tree.fill(files)
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s.Host = h
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ErrorLog:          log.New(io.Discard, "", 0), // some tests use invalid requests
		ReadHeaderTimeout: time.Minute,
	}
	if s.secure {
		if err := s.certify(); err != nil {
			h.Close()
			return nil, err
		}
	}
	l := &listener{h.Listener(), h}
	s.Go(func() {
		if s.secure {
			s.http.ServeTLS(l, "", "")
		} else {
			s.http.Serve(l)
		}
	})
	return s, nil
}

// certify creates a certificate for the server.
func (s *Server) certify() error {
	var err error
	if s.certificate, err = peer.Certify(); err != nil {
		return err
	}
	s.http.TLSConfig = s.TLSConfig()
	s.http.TLSConfig.NextProtos = []string{"h2", "http/1.1"}
	if s.required {
		s.http.TLSConfig.ClientAuth = tls.RequestClientCert
	}
	if s.http1 {
		s.http.TLSConfig.NextProtos = []string{"http/1.1"}
		s.http.TLSNextProto = make(map[string]func(*http.Server, *tls.Conn, http.Handler))
	}
	return nil
}

// Roots returns a pool with the certificate of a TLS server.
func (s *Server) Roots() *x509.CertPool { return s.certificate.Roots() }

// PEM returns the certificate of a TLS server in PEM format.
func (s *Server) PEM() []byte { return s.certificate.PEM() }

// certificateError returns the text of nginx 1.22 about the client certificate of a request, or "".
func (s *Server) certificateError(r *http.Request) string {
	switch {
	case !s.required:
		return ""
	case len(r.TLS.PeerCertificates) == 0:
		return "No required SSL certificate was sent"
	case !bytes.Equal(r.TLS.PeerCertificates[0].Raw, s.TLSConfig().Certificates[0].Certificate[0]):
		return "The SSL certificate error"
	}
	return ""
}

// TLSConfig returns the configuration of a TLS server, for another server on the same host.
func (s *Server) TLSConfig() *tls.Config { return s.certificate.Config() }

// URL implements peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	u, err := locator.Build(&locator.HTTP{Secure: s.secure, Segments: path,
		Login: locator.Login{Hostport: locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}}})
	if err != nil {
		return locator.URL{}
	}
	return u
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	f, ok := s.tree.file(path)
	return []byte(f.Content), ok
}

// Close implements peer.Server.
func (s *Server) Close() {
	s.http.Close()
	s.Host.Close() // also closes the connections that a fault has hijacked
	s.handlers.Wait()
}

// listener counts connections and registers them, so that Close can close them.
type listener struct {
	net.Listener
	host *peer.Host
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.host.Adopt(c) // if Adopt closes c, reading from it fails
	return &conn{c, l.host}, nil
}

type conn struct {
	net.Conn
	host *peer.Host
}

// Close implements net.Conn.
func (c *conn) Close() error { return c.host.Release(c.Conn) }
