package telnet

import (
	"context"
	"crypto/tls"
	"net"

	"locator"
	"locator/scheme"
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

// NewTLS returns the scheme telnets: telnet over TLS, by default on port 992. No RFC defines it. A
// server that does not speak TLS is an error and never gets anything in the clear.
func NewTLS() Scheme { return Scheme{secure: true} }

// Syntax returns the syntax of telnet URLs (RFC 1738 3.8). A telnets URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.secure {
		return locator.SyntaxOf("telnets")
	}
	return locator.SyntaxOf("telnet")
}

// Access connects and returns a Session. Of o it uses Terminal, NoSession and Accept.Charset.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	chars, err := newCharset(o.Accept.Charset)
	if err != nil {
		return nil, err
	}
	if o.NoSession {
		conn, end := net.Pipe()
		end.Close()
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: newSession(ctx, env, conn, conn, p, chars, o.Terminal)}, nil
	}
	d := scheme.Dial{Purpose: scheme.ForControl, Addr: p.addr, Interactive: true}
	if s.secure {
		d.TLS = p.host
	}
	conn, err := env.Dial(ctx, d)
	if err != nil {
		return nil, err
	}
	raw := conn
	if over, ok := conn.(*tls.Conn); ok {
		raw = over.NetConn()
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: newSession(ctx, env, raw, conn, p, chars, o.Terminal)}, nil
}

// Steps returns the only step that does not depend on the server: to connect.
func (s Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	return []string{"CONNECT " + wire.Escape(p.addr)}, nil
}
