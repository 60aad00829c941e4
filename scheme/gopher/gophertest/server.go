package gophertest

import (
	"bufio"
	"crypto/x509"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// Server is a running server.
type Server struct {
	*peer.Host
	behavior    Behavior
	types       map[string]byte
	extras      []*node
	replies     map[string]string
	caps        string
	root        *node
	files       map[string]string
	bySelector  map[string]*node
	secure      bool
	certificate *peer.Certificate
	dirName     string
	dir         *os.Root // nil if there is none
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*Server)

// Behave sets a Behavior other than Strict.
func Behave(m Behavior) Option { return func(s *Server) { s.behavior = m } }

// Type sets the item type of files with that name.
func Type(name string, typ byte) Option { return func(s *Server) { s.types[name] = typ } }

// Document adds a text to the root, with views and an abstract.
func Document(name, abstract string, views ...View) Option {
	return func(s *Server) {
		s.extras = append(s.extras, &node{name: name, typ: '0', content: views[0].Content, abstract: abstract, views: views})
	}
}

// Ask adds a form to the root.
func Ask(name string, f Form) Option {
	return func(s *Server) { s.extras = append(s.extras, &node{name: name, typ: '0', form: &f}) }
}

// Caps sets the content of caps.txt. If text is "", there is no such file.
func Caps(text string) Option { return func(s *Server) { s.caps = text } }

// TLS makes the server one of gophers. [Server.Roots] has its certificate.
func TLS() Option { return func(s *Server) { s.secure = true } }

// Reply sets the reply to a request line, with its Gopher+ header if it has one.
func Reply(line, octets string) Option { return func(s *Server) { s.replies[line] = octets } }

// The path of the search over all names, and caps.txt.
const (
	searchName   = "search"
	capsSelector = "caps.txt"
	caps         = "CAPS\n\nCapsVersion=1\nPathDelimeter=/\nServerDefaultEncoding=UTF-8\nServerSoftware=Locator test server\n"
)

// Start serves files on a free port of 127.0.0.1, and a search over their names. The caller must
// Close the server.
func Start(files []peer.File, opts ...Option) (*Server, error) {
	s := &Server{
		behavior: Strict(), types: make(map[string]byte), replies: make(map[string]string), caps: caps, files: make(map[string]string),
	}
	for _, o := range opts {
		o(s)
	}
	if err := s.openDir(); err != nil {
		return nil, err
	}
	s.fill(files)
	s.add(s.root, &node{name: "Search all names", typ: '7'}, []string{searchName})
	for _, n := range s.extras {
		s.add(s.root, n, []string{n.name})
	}
	h, err := peer.Listen()
	if err != nil {
		s.closeDir()
		return nil, err
	}
	s.Host = h
	if s.secure {
		if s.certificate, err = peer.Certify(); err != nil {
			s.Close()
			return nil, err
		}
		h.Secure(s.certificate.Config())
	}
	s.Serve(s.answerOne)
	return s, nil
}

// Close implements peer.Server.
func (s *Server) Close() {
	s.Host.Close()
	s.closeDir()
}

func (s *Server) closeDir() {
	if s.dir != nil {
		s.dir.Close()
	}
}

// Roots returns the certificate of a server with TLS, else nil.
func (s *Server) Roots() *x509.CertPool { return s.certificate.Roots() }

// URL implements peer.Server. It returns the URL in the server's menus, which is that of a Gopher+
// item if the server supports Gopher+.
func (s *Server) URL(path ...string) locator.URL {
	typ := byte('1')
	if n := len(path); n > 0 && path[n-1] == "" {
		path = path[:n-1]
	} else if n > 0 {
		typ = s.typeOf(path[n-1])
	}
	plus := ""
	if s.behavior.plus {
		plus = "+"
	}
	return s.Item(typ, s.selector(typ, path), plus)
}

// Item returns the URL of a selector with a Gopher+ string, or without one if plus is "".
func (s *Server) Item(typ byte, selector, plus string) locator.URL {
	v := s.view(typ, selector)
	if plus != "" {
		v.Search, v.Plus = locator.Some(""), locator.Some(plus)
	}
	return s.build(v)
}

// SearchURL returns the URL of the search over all names, with or without words.
func (s *Server) SearchURL(words ...string) locator.URL {
	v := s.view('7', s.selector('7', []string{searchName}))
	if len(words) > 0 {
		v.Search = locator.Some(strings.Join(words, " "))
	}
	return s.build(v)
}

// view returns the parts of the URL of a selector.
func (s *Server) view(typ byte, selector string) *locator.Gopher {
	return &locator.Gopher{
		Secure: s.secure, Hostport: locator.Hostport{Host: host, Port: strconv.Itoa(int(s.Port()))},
		Type: locator.Some(string(rune(typ))), Selector: locator.Some(selector),
	}
}

// build returns a URL, or the zero URL if the parts are not valid.
func (s *Server) build(v *locator.Gopher) locator.URL {
	u, err := locator.Build(v)
	if err != nil {
		return locator.URL{}
	}
	return u
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	content, ok := s.files[strings.Join(path, "\x00")]
	return []byte(content), ok
}

// requestTime bounds the time that a client takes to send its request.
const requestTime = 30 * time.Second

// answerOne answers the one request of a connection.
func (s *Server) answerOne(c net.Conn) {
	in := bufio.NewReader(c)
	c.SetReadDeadline(time.Now().Add(requestTime)) // a client that sends half a request must not block the server
	line, err := readLine(in)
	if err != nil {
		return
	}
	s.Seen(line)
	r := parse(line, func(selector string) bool {
		n, ok := s.find(selector)
		return ok && n.typ == '7'
	})
	if r.hasData && s.behavior.plus {
		if err := r.readData(in, s.Seen); err != nil {
			return
		}
	}
	c.SetReadDeadline(time.Time{})
	s.send(c, r, s.Fault())
}

// answer returns the whole reply.
func (s *Server) answer(r request) string {
	if octets, ok := s.replies[r.line]; ok {
		return octets
	}
	m := s.behavior
	n, ok := s.find(r.selector)
	isSearch := ok && n.typ == '7'
	switch {
	case m.plus && m.oneTab && r.twoTabs && !isSearch:
		return "0Malformed command\t\terror.host\t1\r\n.\r\n"
	case !ok && s.caps != "" && strings.TrimPrefix(r.selector, "/") == capsSelector:
		return m.text(s.caps)
	case !ok && strings.HasPrefix(r.selector, "URL:"):
		return page(strings.TrimPrefix(r.selector, "URL:"))
	case !ok && m.plus && r.command != "":
		text := m.absent
		if r.command[0] == '!' {
			text = m.noInfo
		}
		return m.plusError(1, strings.ReplaceAll(text, "%s", untyped(r.selector)))
	case !ok:
		return m.missing(r.selector, !strings.HasSuffix(r.selector, "/"))
	case m.plus && r.command != "":
		return s.plusReply(r, n)
	}
	return s.plainReply(r, n)
}

// plainReply returns the reply to a request of RFC 1436.
func (s *Server) plainReply(r request, n *node) string {
	m := s.behavior
	switch {
	case n.typ == '7':
		return m.closed(s.found(r.search))
	case n.typ == '1':
		return m.closed(s.menu(n))
	case n.form != nil:
		return m.text(strings.ReplaceAll(n.form.answered(""), "\r\n", "\n"))
	case n.isText():
		return m.text(n.content)
	}
	return n.content
}
