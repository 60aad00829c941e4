package waistest

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/internal/z3950"
	"locator/schemetest/peer"
)

// Server is a server on a free port of 127.0.0.1.
type Server struct {
	*peer.Host
	handler  *Handler
	tree     []peer.File
	opt      options
	closeDir func() error // nil if there is none
	clients  clients
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*options)

// options are the differences to the server of Start.
type options struct {
	databases []*Database
	twist     Twist
	dir, name string
	addr      string
	log       func(request string)
	skipped   func(err error)
}

// Dir adds a database of the files in a folder. It is the one that URL("") names. See [Folder].
func Dir(name, dir string) Option { return func(o *options) { o.name, o.dir = name, dir } }

// Skipped calls f with the reason for each file and folder of Dir that cannot be read, and is therefore not served.
func Skipped(f func(err error)) Option { return func(o *options) { o.skipped = f } }

// Addr sets the host:port to listen on. The default is a free port of 127.0.0.1.
func Addr(addr string) Option { return func(o *options) { o.addr = addr } }

// Log calls f with each request, as a line. The server does not keep the requests then: Lines returns none.
func Log(f func(request string)) Option { return func(o *options) { o.log = f } }

// With adds a database.
func With(db *Database) Option { return func(o *options) { o.databases = append(o.databases, db) } }

// Twisted makes the server differ from freeWAIS in something that clients must accept.
func Twisted(t Twist) Option { return func(o *options) { o.twist = t } }

// rootName is the name of the database of the root of a tree.
const rootName = "tree"

// Start starts a server with a database for each folder of the tree, of the files in it. The caller must Close it.
func Start(tree []peer.File, opts ...Option) (*Server, error) {
	s := &Server{tree: tree, opt: options{skipped: func(error) {}}}
	for _, o := range opts {
		o(&s.opt)
	}
	folders := make(map[string][]File)
	var names []string
	for _, f := range tree {
		name := databaseOf(f.Path[:len(f.Path)-1])
		if folders[name] == nil {
			names = append(names, name)
		}
		folders[name] = append(folders[name], Memory(f.Path[len(f.Path)-1], f.Content, f.Modified))
	}
	all := slices.Clone(s.opt.databases)
	for _, name := range names {
		db, err := NewDatabase(name, folders[name])
		if err != nil {
			return nil, err
		}
		all = append(all, db)
	}
	if s.opt.dir != "" {
		db, closeDir, err := Folder(s.opt.name, s.opt.dir, s.opt.skipped)
		if err != nil {
			return nil, err
		}
		s.closeDir = closeDir
		all = append(all, db)
	}
	host, err := peer.ListenOn(cmp.Or(s.opt.addr, net.JoinHostPort(peer.Address, "0")))
	if err != nil {
		s.closeFolder()
		return nil, err
	}
	s.Host = host
	s.handler = NewHandler(clientAddr(host.Addr()), all...)
	host.Serve(s.serve)
	return s, nil
}

// clientAddr returns the host:port that clients on other computers use: the name of this one in place of an unspecified address.
func clientAddr(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	name, err := os.Hostname()
	if ip, _ := netip.ParseAddr(host); err != nil || !ip.IsUnspecified() {
		return addr
	}
	return net.JoinHostPort(name, port)
}

// Close implements peer.Server.
func (s *Server) Close() {
	s.Host.Close()
	s.closeFolder()
}

func (s *Server) closeFolder() {
	if s.closeDir != nil {
		s.closeDir()
	}
}

// databaseOf returns the name of the database of a folder.
func databaseOf(folder []string) string {
	if len(folder) == 0 {
		return rootName
	}
	return strings.Join(folder, ".")
}

// URL implements peer.Server. The URL of a folder is a search for the name of its database, which finds all documents in it.
func (s *Server) URL(path ...string) locator.URL {
	folder, name := path[:len(path)-1], path[len(path)-1]
	db := databaseOf(folder)
	if len(path) == 1 && name == "" && s.opt.dir != "" {
		return s.DatabaseURL(s.opt.name)
	}
	if name == "" {
		return s.SearchURL(db, db)
	}
	id, typ := "0 0 "+name, "TEXT"
	if d := s.handler.databases[db]; d != nil && d.names[name] != nil {
		found := d.names[name]
		i := slices.IndexFunc(found.files, func(f File) bool { return f.Name == name })
		id, typ = localID(found.files[0]), found.types[i]
	}
	return s.build(&locator.WAIS{Kind: locator.WAISDocument, Database: db, Type: typ, Path: (&Database{Name: db}).documentID(s.Addr(), id)})
}

// DatabaseURL returns the URL of a database.
func (s *Server) DatabaseURL(name string) locator.URL {
	return s.build(&locator.WAIS{Kind: locator.WAISDatabase, Database: name})
}

// SearchURL returns the URL of a search.
func (s *Server) SearchURL(database, words string) locator.URL {
	return s.build(&locator.WAIS{Kind: locator.WAISSearch, Database: database, Search: words})
}

func (s *Server) build(v *locator.WAIS) locator.URL {
	host, port, _ := net.SplitHostPort(s.Addr())
	switch ip, _ := netip.ParseAddr(host); {
	case ip.IsUnspecified():
		host = "localhost"
	case ip.Is6():
		host = "[" + host + "]"
	}
	v.Hostport = locator.Hostport{Host: host, Port: port}
	u, err := locator.Build(v)
	if err != nil {
		panic("waistest: " + err.Error()) // any bytes are valid in every part
	}
	return u
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	for _, f := range s.tree {
		if slices.Equal(f.Path, path) {
			return []byte(f.Content), true
		}
	}
	return nil, false
}

// serve answers the requests on a connection, with a fault if there is one.
func (s *Server) serve(conn net.Conn) {
	defer s.clients.leave(conn)
	if !s.clients.admit(conn, addressOf(conn), time.Now()) {
		return
	}
	s.handler.serve(conn, func(session *session, echo string, request []byte) bool {
		s.clients.asked(conn, time.Now())
		if s.opt.log == nil {
			s.Seen(string(request))
		} else if m, err := z3950.ParseRequest(request); err == nil {
			s.opt.log(fmt.Sprint(m))
		}
		return s.reply(conn, session, echo, request)
	})
}
