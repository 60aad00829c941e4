package schemetest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/session"
	"locator/schemetest/peer"
)

// chat is a scheme of sessions for the tests of the suite, with the URLs of telnet. Its protocol is
// that of chatServer. With a flaw it breaks a duty.
type chat struct{ flaw string }

func (chat) Syntax() *locator.Syntax { return locator.SyntaxOf("telnet") }

func (c chat) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	view, _ := locator.As[*locator.Telnet](r.URL)
	addr, _ := r.URL.Addr()
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr, Interactive: true})
	if err != nil {
		return nil, err
	}
	t := &chatTerminal{flaw: c.flaw, conn: conn, in: bufio.NewReader(conn), login: view.Login, modes: make(chan session.Mode, 1)}
	t.modes <- session.Mode{LineMode: true}
	if c.flaw == "sends the password" {
		io.WriteString(conn, view.Password.Or("")+"\n")
	}
	t.unbind = scheme.Bind(ctx, conn)
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: t}, nil
}

// chatTerminal is a session.
type chatTerminal struct {
	flaw   string
	conn   net.Conn
	in     *bufio.Reader
	login  locator.Login
	modes  chan session.Mode
	unbind func() bool

	mu      sync.Mutex
	closed  bool
	half    bool
	replies int
}

// Read removes the requests of the server, lines that begin with "?", and answers the first ten.
func (t *chatTerminal) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if next, _ := t.in.Peek(1); len(next) == 1 && next[0] == '?' {
			t.in.ReadString('\n')
			if t.replies++; t.replies > 10 && t.flaw != "answers without end" {
				return 0, scheme.Fail(scheme.CodeProtocol, "the server asks without end")
			}
			io.WriteString(t.conn, strings.Repeat("!", 1<<10)+"\n")
			continue
		}
		n, err := t.in.Read(p)
		if t.isClosed() && err != nil {
			err = map[bool]error{true: io.EOF, false: net.ErrClosed}[t.flaw == "Close is the end"]
		}
		if t.flaw == "the end is an error" && err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return n, err
	}
	return 0, nil
}

func (t *chatTerminal) isClosed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// state returns an error if the session is closed.
func (t *chatTerminal) state() error {
	if t.isClosed() && t.flaw != "lives after Close" {
		return net.ErrClosed
	}
	return nil
}

func (t *chatTerminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	sent := p
	switch {
	case t.closed && t.flaw != "lives after Close":
		return 0, net.ErrClosed
	case t.half && t.flaw != "writes after the end":
		return 0, io.ErrClosedPipe
	case t.flaw == "loses a byte":
		sent = bytes.ReplaceAll(p, []byte{255}, nil)
	case t.flaw == "mixes writes" && len(p) > 1:
		t.mu.Unlock()
		t.conn.Write(p[:1])
		time.Sleep(time.Millisecond)
		t.mu.Lock()
		sent = p[1:]
	}
	if _, err := t.conn.Write(sent); err != nil && t.flaw != "lives after Close" && t.flaw != "writes after the end" {
		return 0, err
	}
	return len(p), nil
}

func (t *chatTerminal) CloseWrite() error {
	if err := t.state(); err != nil {
		return err
	}
	t.mu.Lock()
	t.half = true
	t.mu.Unlock()
	if t.flaw == "CloseWrite closes" {
		return t.conn.Close()
	}
	return t.conn.(interface{ CloseWrite() error }).CloseWrite()
}

func (t *chatTerminal) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		if t.flaw == "closes once" {
			return net.ErrClosed
		}
		return nil
	}
	t.closed = true
	t.unbind()
	if t.flaw != "keeps its modes" {
		close(t.modes)
	}
	if t.flaw == "Close waits" {
		return nil
	}
	return t.conn.Close()
}

func (t *chatTerminal) Send(s session.Signal) error {
	if t.flaw == "knows all signals" {
		return t.state()
	}
	if err := t.state(); err != nil {
		return err
	}
	return errors.ErrUnsupported
}

func (t *chatTerminal) Resize(int, int) error      { return t.state() }
func (t *chatTerminal) Modes() <-chan session.Mode { return t.modes }
func (t *chatTerminal) Secret() (string, bool)     { return t.login.Password.Get() }

func (t *chatTerminal) Advice() []string {
	advice := []string{"the user is " + t.login.User.Or("")}
	if t.flaw == "advises the password" {
		advice = append(advice, t.login.Password.Or(""))
	}
	return advice
}

// chatServer greets, answers each line, and ends the session after the line "exit" or the end of
// the input.
type chatServer struct {
	*fakeServer
	mu  sync.Mutex
	all []byte
}

func (s *chatServer) received() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (s *chatServer) chatURL(l locator.Login) locator.URL {
	host, port, _ := net.SplitHostPort(s.Addr())
	l.Hostport = locator.Hostport{Host: host, Port: port}
	u, _ := locator.Build(&locator.Telnet{Login: l})
	return u
}

func startChat(t *testing.T) Server {
	h, err := peer.Listen()
	if err != nil {
		t.Fatal(err)
	}
	s := &chatServer{fakeServer: &fakeServer{Host: h}}
	s.Serve(func(c net.Conn) {
		io.WriteString(c, "welcome\n")
		for s.is(Storm) {
			if _, err := io.WriteString(c, strings.Repeat("?\n", 1000)); err != nil {
				return
			}
		}
		in := bufio.NewReader(c)
		for {
			line, err := in.ReadString('\n')
			s.mu.Lock()
			s.all = append(s.all, line...)
			s.mu.Unlock()
			if err != nil {
				return
			}
			line = strings.TrimSuffix(line, "\n")
			s.Seen(line)
			if line == "exit" {
				return
			}
			io.WriteString(c, "you said "+line+"\n")
		}
	})
	return s
}

func chatHarness(flaw string) *Harness {
	return &Harness{
		Scheme:  chat{flaw},
		Start:   startChat,
		Alone:   func(s Server) locator.URL { return s.(*chatServer).chatURL(locator.Login{}) },
		Faults:  []Fault{Storm},
		Hostile: []string{"telnet://127.0.0.1:25/"},
		Session: &Session{
			Received: func(s Server) []byte { return s.(*chatServer).received() },
			Login: func(s Server) locator.URL {
				return s.(*chatServer).chatURL(locator.Login{User: locator.Some(loginUser), Password: locator.Some(loginPassword)})
			},
		},
	}
}

// A correct scheme of sessions passes the suite, and each broken one fails the duty that it breaks.
func TestSuiteSessions(t *testing.T) {
	sessions := slices.DeleteFunc(duties(), func(d duty) bool { return !strings.HasPrefix(d.name, "session ") })
	times := quick
	times.patience = 500 * time.Millisecond // a flaw that hangs does so at any timeout
	for _, tt := range []struct{ flaw, duty string }{
		{"", ""},
		{"loses a byte", "session data"},
		{"the end is an error", "session data"},
		{"Close is the end", "session close"},
		{"Close waits", "session close"},
		{"closes once", "session close"},
		{"keeps its modes", "session close"},
		{"lives after Close", "session close"},
		{"CloseWrite closes", "session half"},
		{"writes after the end", "session half"},
		{"knows all signals", "session signals"},
		{"mixes writes", "session concurrent"},
		{"answers without end", "session storm"},
		{"sends the password", "session secrets"},
		{"advises the password", "session secrets"},
	} {
		t.Run(tt.flaw, func(t *testing.T) {
			r := newRecorder(t)
			run(r, chatHarness(tt.flaw), slices.DeleteFunc(slices.Clone(sessions), func(d duty) bool { return tt.duty != "" && d.name != tt.duty }), times)
			if tt.duty == "" && len(r.failed) > 0 {
				t.Errorf("a correct scheme fails: %q", r.failed)
			} else if tt.duty != "" && len(r.failed[tt.duty]) == 0 {
				t.Errorf("the duty %q does not notice", tt.duty)
			}
		})
	}
}
