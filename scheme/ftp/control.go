package ftp

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// control is a control connection with a login, and what is known of the server's state. One visit at a time holds it.
type control struct {
	wire *wire.Conn
	raw  net.Conn   // below wire and below TLS: what may be closed at any time
	host string     // for TLS
	peer netip.Addr // zero where only a proxy knows it
	max  int        // octets of a reply

	dirs   []string // the arguments of CWD since login, in order
	home   string   // the directory of the login, as PWD named it; "" unknown
	proved bool     // CWD to home was seen to lead there
	typ    byte     // the last TYPE, 0 where none was sent: then the server is in TYPE A (RFC 959 5.1)
	feat   features // nil until FEAT was asked
	noEPSV bool     // EPSV was refused or led nowhere
	noSIZE bool     // the server has no SIZE
	rawIAC bool     // the server takes IAC in names as it is

	reached bool      // a data connection has been made
	awaited bool      // a port was asked for ahead, and the reply is to come
	next    uint16    // the port of that reply, 0 where there is none
	nextAt  time.Time // when it was asked for

	tls      *tls.Config // of the data connections, nil in the clear
	secret   string      // what the server must not be shown to repeat, while the login runs
	noEmpty  string      // the reply that refused "CWD " with an empty argument
	untested bool        // kept, and not known to be alive
	unusable atomic.Bool // the dialogue is out of step or at an end
}

// connect opens a control connection and reads the greeting.
func connect(ctx context.Context, env *scheme.Env, p *plan) (*control, error) {
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Network: "tcp", Addr: p.addr()})
	if err != nil {
		return nil, err
	}
	c := &control{raw: conn, host: p.host, peer: peerOf(conn), max: env.Limits.Header}
	unbind := scheme.Bind(ctx, conn)
	defer unbind()
	if p.implicit {
		if conn, err = c.startTLS(ctx, env); err != nil {
			c.raw.Close()
			return nil, err
		}
	}
	c.wire = wire.NewConn(conn, c.options(env))
	if err := c.greeting(); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// options are those of the operation that has the connection.
func (c *control) options(env *scheme.Env) wire.Options {
	opt := wire.Options{MaxLine: env.Limits.Line}
	if env.Trace.HearsLines() {
		opt.Sent = env.Trace.OnSent
		opt.Received = func(line string) { env.Trace.OnReceived(c.hide(line, wire.Escape(c.secret))) }
	}
	return opt
}

// use hands a kept connection to another operation.
func (c *control) use(env *scheme.Env) {
	c.max = env.Limits.Header
	c.wire.SetOptions(c.options(env))
	scheme.SetIdle(c.raw, env.Limits.Idle)
}

// greeting reads what the server says first. 120 says that 220 will follow (RFC 959 5.4).
func (c *control) greeting() error {
	for range 3 {
		r, err := c.reply("connecting")
		if err != nil {
			return err
		}
		switch {
		case r.code == 220:
			return nil
		case r.code != 120:
			return r.unexpected("connecting")
		}
	}
	return scheme.Fail(scheme.CodeUnavailable, "the server says again and again that it will be ready")
}

// peerOf is the address of the server, zero where a proxy has resolved its name.
func peerOf(conn net.Conn) netip.Addr {
	ap, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	return ap.Addr().Unmap()
}

// ask sends a command and reads its reply. after names the command in errors, without its arguments. An error means
// that the dialogue is at an end; what the server refuses is a reply.
func (c *control) ask(after string, l wire.Line) (reply, error) {
	if err := c.send(after, l); err != nil {
		return reply{}, err
	}
	return c.reply(after)
}

// send sends a command. An error means that the dialogue is at an end.
func (c *control) send(after string, l wire.Line) error {
	if err := c.wire.Send(l); err != nil {
		return c.end(lost(after, err))
	}
	return nil
}

// reply reads a reply. 421 may come at any time and ends the connection (RFC 959 5.4).
func (c *control) reply(after string) (reply, error) {
	r, err := readReply(c.wire, c.max)
	for i, l := range r.lines {
		r.lines[i] = c.hide(l, c.secret)
	}
	if err != nil {
		return r, c.end(lost(after, err))
	}
	if r.code == 421 {
		return r, c.end(r.fail("the server ends the connection"))
	}
	c.untested = false
	return r, nil
}

// hide takes a password out of what the server says: some repeat what they were sent (P3).
func (c *control) hide(line, secret string) string {
	if secret == "" {
		return line
	}
	return strings.ReplaceAll(line, secret, "****")
}

// end marks the connection as unusable. Where it was kept and has done nothing yet, another one may be tried.
func (c *control) end(err error) error {
	c.unusable.Store(true)
	if c.untested {
		return errDropped{err}
	}
	return err
}

// askAny tries the spellings of a command until one is not refused.
func (c *control) askAny(after string, lines []wire.Line) (r reply, err error) {
	for i, l := range c.order(lines) {
		if r, err = c.ask(after, l); err != nil || r.class() != 5 {
			c.rawIAC = c.rawIAC || i > 0 && err == nil && r.class() < 4
			return r, err
		}
	}
	return r, nil
}

// order leaves out the spelling that the server is known not to take.
func (c *control) order(lines []wire.Line) []wire.Line {
	if c.rawIAC && len(lines) > 1 {
		return lines[1:]
	}
	return lines
}

// setType sends TYPE where the server is not known to be in it. A server whose type was never set is told even what
// it would assume: RFC 1738 3.2.2 wants the command.
func (c *control) setType(t byte) error {
	if c.typ == t {
		return nil
	}
	l := typeLine(t)
	r, err := c.ask(l.String(), l)
	if err != nil {
		return err
	}
	if r.class() != 2 {
		return r.unexpected(l.String())
	}
	c.typ = t
	return nil
}

// lineType puts the server into TYPE A for the lists that RFC 959 4.1.3 wants in it. A fresh connection is.
func (c *control) lineType() error {
	if c.typ == image {
		return c.setType(ascii)
	}
	return nil
}

// RemoteAddr lets the client ask policy again before the connection is used again.
func (c *control) RemoteAddr() net.Addr { return c.wire.RemoteAddr() }

// Close ends the connection, with a QUIT where the server may listen.
func (c *control) Close() error {
	if !c.unusable.Swap(true) {
		_ = c.wire.Send(bare("QUIT")) // the connection ends either way
	}
	return c.wire.Close()
}
