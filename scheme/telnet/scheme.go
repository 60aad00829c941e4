package telnet

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/tlserr"
	"locator/wire"
)

// Scheme is telnet. It holds no state.
type Scheme struct{ secure bool }

var (
	_ scheme.Scheme    = Scheme{}
	_ scheme.Explainer = Scheme{}
)

// New returns the scheme telnet.
func New() Scheme { return Scheme{} }

// NewTLS returns the scheme telnets: telnet over TLS, by default on port 992. No RFC defines it. A server that does not speak
// TLS is an error and never gets anything in the clear.
func NewTLS() Scheme { return Scheme{secure: true} }

// Syntax returns the syntax of telnet URLs (RFC 1738 3.8). A telnets URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.secure {
		return locator.SyntaxOf("telnets")
	}
	return locator.SyntaxOf("telnet")
}

// Access connects and returns a Session. Of o it uses Terminal and Accept.Charset.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	chars, err := newCharset(o.Accept.Charset)
	if err != nil {
		return nil, err
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: p.addr, Interactive: true})
	if err != nil {
		return nil, err
	}
	over := conn
	if s.secure {
		defer scheme.Bind(ctx, conn)()
		if over, err = handshake(ctx, conn, env.TLS(p.host), env.Limits.Idle, env.Limits.LineTime); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: newSession(ctx, env, conn, over, p, chars, o.Terminal)}, nil
}

// handshake starts TLS.
func handshake(ctx context.Context, conn net.Conn, config *tls.Config, idle, limit time.Duration) (net.Conn, error) {
	first := &prompt{Conn: conn, idle: idle}
	defer first.end()
	c, err := tlserr.Handshake(ctx, first, config, limit)
	if _, said := errors.AsType[*scheme.Error](err); err != nil && !said && ctx.Err() == nil {
		err = tlserr.Failed("the connection", err)
	}
	return c, err
}

// prompt is a connection whose reads have the idle timeout until end is called: a session has none.
type prompt struct {
	net.Conn
	idle time.Duration // 0 is none
}

func (c *prompt) Read(p []byte) (int, error) {
	if c.idle > 0 {
		if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(p)
}

func (c *prompt) end() {
	c.idle = 0
	_ = c.SetReadDeadline(time.Time{}) // the next Read reports what is wrong with the connection
}

// Steps returns the only step that does not depend on the server: to connect.
func (s Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	return []string{"CONNECT " + wire.Escape(p.addr)}, nil
}

// place is what a URL says: where to connect, and what a person needs there.
type place struct {
	addr, host string
	user       string // without control characters; "" is none
	password   string
	cut        []string // parts from which control characters were removed
}

// newPlace reads a URL. CR, LF and NUL in a user or password are an error, although neither is sent: a person who copies them into the
// session would send them.
func newPlace(u locator.URL) (p place, err error) {
	v, ok := locator.As[*locator.Telnet](u)
	if !ok {
		return p, scheme.Fail(scheme.CodeMalformed, "not a telnet URL")
	}
	if p.addr, ok = u.Addr(); !ok {
		return p, scheme.Fail(scheme.CodeRefused, "the URL has no host, or a port that cannot be connected to")
	}
	p.host = strings.Trim(u.ASCIIHost(), "[]")
	user, err := p.suggested("user", v.User)
	if err != nil {
		return p, err
	}
	p.user = user
	p.password, err = p.suggested("password", v.Password)
	return p, err
}

// suggested returns a part of the login without control characters, and notes whether there were any.
func (p *place) suggested(name string, part locator.Optional) (string, error) {
	text, err := part.Or(""), error(nil)
	if err = wire.Check(name, text, ""); err != nil {
		return "", err
	}
	clean := printable(text)
	if clean != text {
		p.cut = append(p.cut, name)
	}
	return clean, nil
}
