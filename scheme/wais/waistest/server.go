package waistest

import (
	"net"
	"slices"
	"strings"

	"locator"
	"locator/scheme/wais/waisserver"
	"locator/schemetest/peer"
)

// Server is a server on a free port of 127.0.0.1.
type Server struct {
	*peer.Host
	handler *waisserver.Handler
	tree    []peer.File
	opt     options
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*options)

// options are the differences to the server of Start.
type options struct {
	databases []*waisserver.Database
	twist     Twist
}

// With adds a database.
func With(db *waisserver.Database) Option {
	return func(o *options) { o.databases = append(o.databases, db) }
}

// Twisted makes the server differ from freeWAIS in something that clients must accept.
func Twisted(t Twist) Option { return func(o *options) { o.twist = t } }

// rootName is the name of the database of the root of a tree.
const rootName = "tree"

// Start starts a server with a database for each folder of the tree, of the files in it. The caller
// must Close it.
func Start(tree []peer.File, opts ...Option) (*Server, error) {
	s := &Server{tree: tree}
	for _, o := range opts {
		o(&s.opt)
	}
	folders := make(map[string][]waisserver.File)
	var names []string
	for _, f := range tree {
		name := databaseOf(f.Path[:len(f.Path)-1])
		if folders[name] == nil {
			names = append(names, name)
		}
		folders[name] = append(folders[name], waisserver.Memory(f.Path[len(f.Path)-1], f.Content, f.Modified))
	}
	all := slices.Clone(s.opt.databases)
	for _, name := range names {
		db, err := waisserver.NewDatabase(name, folders[name])
		if err != nil {
			return nil, err
		}
		all = append(all, db)
	}
	host, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s.Host = host
	s.handler = waisserver.NewHandler(host.Addr(), all...)
	host.Serve(s.serve)
	return s, nil
}

// databaseOf returns the name of the database of a folder.
func databaseOf(folder []string) string {
	if len(folder) == 0 {
		return rootName
	}
	return strings.Join(folder, ".")
}

// URL implements peer.Server. The URL of a folder is a search for the name of its database, which
// finds all documents in it.
func (s *Server) URL(path ...string) locator.URL {
	folder, name := path[:len(path)-1], path[len(path)-1]
	db := databaseOf(folder)
	if name == "" {
		return s.SearchURL(db, db)
	}
	id, typ := s.handler.Document(db, name)
	return s.build(&locator.WAIS{Kind: locator.WAISDocument, Database: db, Type: typ, Path: id})
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
	s.handler.Serve(conn, func(session *waisserver.Session, r waisserver.Request) bool {
		s.Seen(string(r.APDU))
		return s.reply(conn, session, r)
	})
}
