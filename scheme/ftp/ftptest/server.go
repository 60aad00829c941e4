package ftptest

import (
	"net"
	"strconv"
	"sync"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// The login that every server accepts besides anonymous.
const (
	Alice    = "alice"
	Password = "s3cret-pw"
)

// Server is an ftp server on a free port of 127.0.0.1.
type Server struct {
	*peer.Host
	behavior behavior

	mu        sync.Mutex // guards the following fields
	root      *node
	serial    int
	torn      int   // uploads that will be torn
	tornAt    int64 // after that many bytes
	truncated bool  // MLSD and LIST send at most listed entries
	listed    int
}

var _ peer.Server = (*Server)(nil)

// Start starts a server with the tree. The caller must Close it.
func Start(tree []peer.File, opts ...Option) (*Server, error) {
	m := behavior{users: map[string]string{Alice: Password}, banner: "ftptest", fullRMD: "550 Directory not empty"}
	for _, o := range opts {
		o(&m)
	}
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{Host: h, behavior: m, root: plant(tree)}
	for _, l := range m.links {
		s.root.add(l)
	}
	s.Serve(func(conn net.Conn) { newSession(s, conn).serve() })
	return s, nil
}

// URL returns the URL of a path relative to the login directory. A last element "" makes it the URL
// of a directory.
func (s *Server) URL(path ...string) locator.URL { return s.url(locator.Login{}, path) }

// LoginURL is like URL with a user and a password.
func (s *Server) LoginURL(user, password string, path ...string) locator.URL {
	return s.url(locator.Login{User: locator.Some(user), Password: locator.Some(password)}, path)
}

func (s *Server) url(login locator.Login, path []string) locator.URL {
	login.Hostport = locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}
	v := &locator.FTP{Login: login, Secure: s.behavior.implicit}
	if len(path) > 0 {
		v.Dirs, v.Name = path[:len(path)-1], locator.Some(path[len(path)-1])
	}
	u, err := locator.Build(v)
	if err != nil {
		panic("ftptest: " + err.Error()) // every byte of a name can be escaped
	}
	return u
}

// File returns the content of a file of the tree.
func (s *Server) File(path ...string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.root.find(path)
	if n == nil || n.dir() {
		return nil, false
	}
	return append([]byte(nil), n.content...), true
}

// Modified returns the time of a file of the tree, zero if there is none.
func (s *Server) Modified(path ...string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.root.find(path); n != nil {
		return n.modified
	}
	return time.Time{}
}

// Put stores a file in the tree. Its directory must exist.
func (s *Server) Put(content []byte, modified time.Time, path ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.root.find(path[:len(path)-1]).children[path[len(path)-1]] = &node{content: content, modified: modified}
}

// TruncateLists makes MLSD and LIST send the first n entries and say "Output truncated", as
// pure-ftpd does behind its limit.
func (s *Server) TruncateLists(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.truncated, s.listed = true, n
}

// Names returns the names in a directory of the tree.
func (s *Server) Names(path ...string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.root.find(path); n != nil && n.dir() {
		return n.names()
	}
	return nil
}
