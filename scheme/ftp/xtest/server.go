package xtest

import (
	"net"
	"strconv"
	"sync"

	"locator"
	"locator/schemetest/peer"
)

// The login that every server knows beside anonymous.
const (
	Alice    = "alice"
	Password = "s3cret-pw"
)

// Server is an ftp server on a free port of 127.0.0.1.
type Server struct {
	listener net.Listener
	manners  manners
	wg       sync.WaitGroup

	mu     sync.Mutex // guards what follows, the tree included
	root   *node
	fault  peer.Fault
	conns  map[net.Conn]bool
	count  int
	lines  []string
	serial int
	closed bool
	done   chan struct{}
}

var _ peer.Server = (*Server)(nil)

// Start starts a server for the tree. The caller closes it.
func Start(tree []peer.File, opts ...Option) (*Server, error) {
	m := manners{users: map[string]string{Alice: Password}, doubleIAC: true, banner: "xtest"}
	for _, o := range opts {
		o(&m)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, manners: m, root: plant(tree), conns: make(map[net.Conn]bool), done: make(chan struct{})}
	s.wg.Go(s.accept)
	return s, nil
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		if !s.own(conn) {
			conn.Close()
			return
		}
		s.wg.Go(func() {
			defer s.disown(conn)
			newSession(s, conn).serve()
		})
	}
}

// own counts a connection and remembers it for Close. It reports false where the server is closed.
func (s *Server) own(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.count++
	s.conns[conn] = true
	return true
}

func (s *Server) disown(conn net.Conn) {
	conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// Addr is host:port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Port is the port.
func (s *Server) Port() uint16 { return uint16(s.listener.Addr().(*net.TCPAddr).Port) }

// URL is the URL of a path relative to the directory of the login; a last element "" makes it a directory's.
func (s *Server) URL(path ...string) locator.URL { return s.url(locator.Login{}, path) }

// LoginURL is URL with a user and a password.
func (s *Server) LoginURL(user, password string, path ...string) locator.URL {
	return s.url(locator.Login{User: locator.Some(user), Password: locator.Some(password)}, path)
}

func (s *Server) url(login locator.Login, path []string) locator.URL {
	login.Hostport = locator.Hostport{Host: "127.0.0.1", Port: strconv.Itoa(int(s.Port()))}
	v := &locator.FTP{Login: login}
	if len(path) > 0 {
		v.Dirs, v.Name = path[:len(path)-1], locator.Some(path[len(path)-1])
	}
	u, err := locator.Build(v)
	if err != nil {
		panic("xtest: " + err.Error()) // every octet of a name can be spelled
	}
	return u
}

// Misbehave makes the server show a fault from now on.
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

// Connections counts the connections accepted so far, data connections too.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Lines are the command lines received so far, without their ends.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

// File reads back a file of the tree.
func (s *Server) File(path ...string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.root.find(path)
	if n == nil || n.dir() {
		return nil, false
	}
	return append([]byte(nil), n.content...), true
}

// Names lists a directory of the tree.
func (s *Server) Names(path ...string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.root.find(path); n != nil && n.dir() {
		return n.names()
	}
	return nil
}

// Drop ends all connections, as a server does that restarts.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		conn.Close()
	}
}

// Close stops the server and waits for all that it began.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	s.mu.Unlock()
	s.listener.Close()
	s.Drop()
	s.wg.Wait()
}
