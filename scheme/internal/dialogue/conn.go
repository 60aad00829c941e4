package dialogue

import (
	"context"
	"net"
	"sync/atomic"

	"locator/scheme"
	"locator/wire"
)

// Conn is a connection with a dialogue, and what is known about its state. One operation at a time uses it.
type Conn struct {
	Protocol
	Wire *wire.Conn
	Raw  net.Conn // without TLS; may be closed at any time
	Host string   // for TLS
	TLS  bool
	Max  int // bytes of a reply

	Untested bool        // from the pool, and not known to be open
	Unusable atomic.Bool // closed, or replies out of step with commands
}

// Protocol is what differs between the protocols of dialogues.
type Protocol struct {
	Name       string // in errors
	Connection string // what errors call the connection
	Goodbye    int    // the code of the reply that may come at any time and ends the connection
	Quit       bool   // Close sends QUIT
	OneLine    bool   // a reply has one line
}

// Dial opens a connection to host.
func Dial(ctx context.Context, env *scheme.Env, p Protocol, host string, d scheme.Dial) (*Conn, error) {
	raw, err := env.Dial(ctx, d)
	if err != nil {
		return nil, err
	}
	c := &Conn{Protocol: p, Raw: raw, Host: host, Max: env.Limits.Header}
	c.Wire = wire.NewConn(raw, options(env))
	return c, nil
}

func options(env *scheme.Env) wire.Options {
	opt := wire.Options{MaxLine: env.Limits.Line, LineTime: env.Limits.LineTime, ReplyTime: env.Limits.ReplyTime}
	if env.Trace.HearsLines() {
		opt.Sent, opt.Received = env.Trace.OnSent, env.Trace.OnReceived
	}
	return opt
}

// reuse prepares a connection from the pool for another operation.
func (c *Conn) reuse(env *scheme.Env) {
	c.Max, c.Untested = env.Limits.Header, true
	c.Wire.SetOptions(options(env))
	scheme.SetIdle(c.Raw, env.Limits.Idle)
}

// Base returns c. It is for types that embed c; see [Acquire].
func (c *Conn) Base() *Conn { return c }

// StartTLS makes the connection a TLS connection, as d says. There is no fallback to clear text.
func (c *Conn) StartTLS(ctx context.Context, env *scheme.Env, d scheme.Dial) error {
	err := c.Wire.Upgrade(func(plain net.Conn) (net.Conn, error) {
		d.TLS, d.Over = c.Host, plain
		return env.Dial(ctx, d)
	})
	if err != nil {
		return c.End(err)
	}
	c.TLS = true
	return nil
}

// Send sends commands in one write. after names the last one in errors, without its arguments. After an error the connection is
// unusable.
func (c *Conn) Send(after string, lines ...wire.Line) error {
	if err := c.Wire.Send(lines...); err != nil {
		return c.End(c.Lost(after, err))
	}
	return nil
}

// Lost returns the error of a connection that ended or stalled after a command.
func (p Protocol) Lost(after string, err error) error { return Lost(p.Connection, after, err) }

// End marks the connection as unusable. If it came from the pool and has done nothing yet, the operation may use another one.
func (c *Conn) End(err error) error {
	c.Unusable.Store(true)
	if c.Untested {
		return Dropped{Err: err}
	}
	return err
}

// RemoteAddr is for the client, which asks policy again before it reuses the connection.
func (c *Conn) RemoteAddr() net.Addr { return c.Raw.RemoteAddr() }

// Close closes the connection. It sends QUIT if the protocol has it and the connection is usable.
func (c *Conn) Close() error {
	if !c.Unusable.Swap(true) && c.Quit {
		_ = c.Wire.Send(Bare("QUIT")) // the connection ends either way
	}
	return c.Wire.Close()
}
