package smtptest

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// The login that a server accepts.
const (
	Alice    = "alice"
	Password = "s3cret-pw"
)

// Mail is a message that the server took.
type Mail struct {
	From   string   // between the angle brackets
	To     []string // likewise
	Params []string // the parameters of MAIL and RCPT, in order
	Data   string   // the message, with its line ends
	User   string   // of the login; "" means none
	TLS    bool
}

// Server is a mail server on a free port of 127.0.0.1.
type Server struct {
	*peer.Host
	behavior behavior

	mu    sync.Mutex
	mails []Mail
}

var (
	_ peer.Server  = (*Server)(nil)
	_ peer.Mailbox = (*Server)(nil)
)

// Start starts a server. The caller must Close it.
func Start(opts ...Option) (*Server, error) {
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	b := behavior{without: make(map[string]bool), replies: make(map[string]string), refused: make(map[string]string), known: make(map[string]bool),
		hangup: make(map[string]bool), resetAt: make(map[string]bool), delays: make(map[string]time.Duration)}
	for _, o := range opts {
		o(&b)
	}
	s := &Server{Host: h, behavior: b}
	if b.implicit {
		s.Secure(b.tls)
	}
	s.Serve(func(conn net.Conn) { newSession(s, conn).serve() })
	return s, nil
}

// Mails returns the messages so far.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Messages implements peer.Mailbox.
func (s *Server) Messages() []string {
	var all []string
	for _, m := range s.Mails() {
		all = append(all, m.Data)
	}
	return all
}

func (s *Server) keep(m Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
}

// ServerURL returns the URL of the server, for client.Options.Servers and --smtp.
func (s *Server) ServerURL() locator.URL { return s.serverURL("") }

// LoginURL is ServerURL with a user and, unless it is empty, a password.
func (s *Server) LoginURL(user, password string) locator.URL {
	if password != "" {
		user += ":" + password
	}
	return s.serverURL(user + "@")
}

func (s *Server) serverURL(login string) locator.URL {
	name := "smtp"
	if s.behavior.implicit {
		name = "smtps"
	}
	return locator.MustParse(name + "://" + login + net.JoinHostPort(peer.Address, strconv.Itoa(int(s.Port()))) + "/")
}

// URL implements peer.Server. It returns the URL of a mail to a recipient whose name is made of the
// path. Mail has no folders.
func (s *Server) URL(path ...string) locator.URL {
	if slices.Contains(path, "") {
		return locator.URL{}
	}
	u, err := locator.Build(&locator.Mailto{To: []string{strings.Join(path, ".") + "@tree.example"}})
	if err != nil {
		panic("smtptest: " + err.Error()) // Build escapes every byte
	}
	return u
}

// File implements peer.Server. The server has no files.
func (s *Server) File(...string) ([]byte, bool) { return nil, false }
