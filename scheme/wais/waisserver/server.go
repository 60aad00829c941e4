package waisserver

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"

	"locator"
	"locator/internal/z3950"
)

// Server serves the files of a folder as a database.
type Server struct {
	listener net.Listener
	database string
	closeDir func() error
	running  sync.WaitGroup

	mu     sync.Mutex // for those below
	open   map[net.Conn]bool
	closed bool
}

// Options are the settings of a [Server].
type Options struct {
	Addr    string               // host:port to listen on
	Log     func(request string) // called with each request, as a line; nil means none
	Skipped func(err error)      // called for each file and folder that cannot be read; nil means none
}

// Start starts a server with a database of the files in a folder. See [Folder]. The caller must
// Close it.
func Start(database, dir string, o Options) (*Server, error) {
	if o.Skipped == nil {
		o.Skipped = func(error) {}
	}
	db, closeDir, err := Folder(database, dir, o.Skipped)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		closeDir()
		return nil, err
	}
	s := &Server{listener: listener, database: database, closeDir: closeDir, open: make(map[net.Conn]bool)}
	h := NewHandler(clientAddr(listener.Addr().String()), db)
	s.running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if !s.hold(conn) {
				return
			}
			s.running.Go(func() {
				defer s.release(conn)
				h.Serve(conn, logged(conn, o.Log))
			})
		}
	})
	return s, nil
}

// logged returns the respond function of [Handler.Serve] for requests that are logged.
func logged(conn net.Conn, log func(string)) func(*Session, Request) bool {
	if log == nil {
		return nil
	}
	return func(s *Session, r Request) bool {
		if m, err := z3950.ParseRequest(r.APDU); err == nil {
			log(fmt.Sprint(m))
		}
		return s.Write(conn, r.Echo, s.Answer(r.APDU))
	}
}

// hold adds a connection that Close closes. It returns false if the server is closed.
func (s *Server) hold(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		conn.Close()
		return false
	}
	s.open[conn] = true
	return true
}

func (s *Server) release(conn net.Conn) {
	s.mu.Lock()
	delete(s.open, conn)
	s.mu.Unlock()
	conn.Close()
}

// clientAddr returns the host:port that clients on other computers use: the name of this one in
// place of an unspecified address.
func clientAddr(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	name, err := os.Hostname()
	if ip, _ := netip.ParseAddr(host); err != nil || !ip.IsUnspecified() {
		return addr
	}
	return net.JoinHostPort(name, port)
}

// URL returns the URL of the database, for clients on this computer.
func (s *Server) URL() locator.URL {
	host, port, _ := net.SplitHostPort(s.listener.Addr().String())
	switch ip, _ := netip.ParseAddr(host); {
	case ip.IsUnspecified():
		host = "localhost"
	case ip.Is6():
		host = "[" + host + "]"
	}
	v := &locator.WAIS{Hostport: locator.Hostport{Host: host, Port: port}, Kind: locator.WAISDatabase, Database: s.database}
	u, err := locator.Build(v)
	if err != nil {
		panic("waisserver: " + err.Error()) // any bytes are valid in the name
	}
	return u
}

// Close stops the server. When it returns, its connections have ended.
func (s *Server) Close() {
	s.listener.Close()
	s.mu.Lock()
	s.closed = true
	for conn := range s.open {
		conn.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
	s.closeDir()
}
