package nntptest

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// The login that a server accepts.
const (
	Alice    = "alice"
	Password = "s3cret-pw"
)

// Server is a news server on a free port of 127.0.0.1.
type Server struct {
	*peer.Host
	behavior behavior
	spool    *spool
	numbers  map[string]int64 // of the articles of the tree, by path
	tree     []peer.File
	began    time.Time
}

var _ peer.Server = (*Server)(nil)

// Start starts a server with the tree: a group for each folder, and an article for each file
// ([Text]). The caller must Close it.
func Start(tree []peer.File, opts ...Option) (*Server, error) {
	b := behavior{without: make(map[string]bool), replies: make(map[string]string), hangup: make(map[string]bool), endless: make(map[string]string)}
	for _, o := range opts {
		o(&b)
	}
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{Host: h, behavior: b, spool: newSpool(), numbers: make(map[string]int64), tree: tree, began: time.Now()}
	for _, f := range tree {
		s.numbers[strings.Join(f.Path, "\x00")] = s.spool.add(Group(f.Path[:len(f.Path)-1]...), Text(f), b.sparse, time.Time{})
	}
	s.spool.group("tree.nothing") // an empty group
	for _, a := range b.articles {
		s.spool.add(a.group, a.text, b.sparse, a.came)
	}
	if b.implicit {
		s.Secure(b.tls)
	}
	s.Serve(func(conn net.Conn) { newSession(s, conn).serve() })
	return s, nil
}

// URL implements peer.Server. The URL of a path that does not exist names an article that does not
// exist. A news URL names no server.
func (s *Server) URL(path ...string) locator.URL { return s.url(locator.Login{}, path) }

// LoginURL is like URL with a user and a password.
func (s *Server) LoginURL(user, password string, path ...string) locator.URL {
	return s.url(locator.Login{User: locator.Some(user), Password: locator.Some(password)}, path)
}

func (s *Server) url(login locator.Login, path []string) locator.URL {
	login.Hostport = locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}
	dir, name := path[:len(path)-1], path[len(path)-1]
	if s.behavior.news {
		v := &locator.News{Secure: s.behavior.implicit, Kind: locator.NewsArticle, Article: ID(path...)}
		if name == "" {
			v.Kind, v.Article, v.Group = locator.NewsGroup, "", Group(dir...)
		}
		return build(v)
	}
	v := &locator.NNTP{Secure: s.behavior.implicit, User: login.User, Password: login.Password, Hostport: login.Hostport, Group: Group(dir...)}
	if name != "" {
		number, ok := s.numbers[strings.Join(path, "\x00")]
		if !ok {
			number = 999_999
		}
		v.Article = locator.Some(strconv.FormatInt(number, 10))
	}
	return build(v)
}

func build(v locator.View) locator.URL {
	u, err := locator.Build(v)
	if err != nil {
		panic("nntptest: " + err.Error()) // names of groups and message-ids are made of letters and digits
	}
	return u
}

// GroupURL returns the URL of a group, or of the article with that number in it unless it is 0.
func (s *Server) GroupURL(group string, number int64) locator.URL {
	v := &locator.NNTP{Secure: s.behavior.implicit, Hostport: locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}, Group: group}
	if number > 0 {
		v.Article = locator.Some(strconv.FormatInt(number, 10))
	}
	return build(v)
}

// ServerURL returns the URL of the server, for client.Options.Servers.
func (s *Server) ServerURL() locator.URL {
	return build(&locator.News{Secure: s.behavior.implicit, Server: locator.Login{Hostport: locator.Hostport{Host: peer.Address, Port: strconv.Itoa(int(s.Port()))}}})
}

// Add adds an article to a group while the server runs, and returns its number. Sessions see it
// after the next GROUP.
func (s *Server) Add(group, text string) int64 {
	s.spool.replace(group, (*newsgroup).clone)
	return s.spool.add(group, text, s.behavior.sparse, time.Now())
}

// Cancel removes an article of a group.
func (s *Server) Cancel(group string, number int64) {
	s.spool.replace(group, func(g *newsgroup) *newsgroup {
		g = g.clone()
		delete(g.articles, number)
		g.numbers = slices.DeleteFunc(g.numbers, func(n int64) bool { return n == number })
		return g
	})
}

// Renumber numbers the articles of a group from first on, as a server does that was set up anew.
func (s *Server) Renumber(group string, first int64) {
	s.spool.replace(group, func(g *newsgroup) *newsgroup {
		anew := &newsgroup{description: g.description, articles: make(map[int64]string), came: make(map[int64]time.Time)}
		for i, n := range g.numbers {
			to := first + int64(i)
			anew.numbers = append(anew.numbers, to)
			anew.articles[to], anew.came[to] = g.articles[n], g.came[n]
		}
		return anew
	})
}

// File implements peer.Server. It returns the whole article.
func (s *Server) File(path ...string) ([]byte, bool) {
	for _, f := range s.tree {
		if slices.Equal(f.Path, path) {
			return []byte(Text(f)), true
		}
	}
	return nil, false
}
