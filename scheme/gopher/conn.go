package gopher

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// conn is the connection of one exchange: one request, whose reply is read to its end.
type conn struct {
	ctx    context.Context
	over   net.Conn     // from Env.Dial, under TLS for gophers
	idle   *idleEOFConn // over for reading
	wire   *wire.Conn
	in     *bufio.Reader
	unbind func() bool
}

// connect opens a connection and sends nothing.
func (s Scheme) connect(ctx context.Context, env *scheme.Env, q place) (*conn, error) {
	d := scheme.Dial{Purpose: scheme.ForControl, Addr: q.addr}
	if q.secure {
		d.TLS = q.host
	}
	over, err := env.Dial(ctx, d)
	if err != nil {
		return nil, err
	}
	p := &conn{ctx: ctx, over: over, unbind: scheme.Bind(ctx, over)}
	p.idle = &idleEOFConn{Conn: over, grace: cmp.Or(s.grace, defaultGrace), note: env.Tell}
	p.wire = wire.NewConn(p.idle, wire.Options{MaxLine: env.Limits.Line, LineTime: env.Limits.LineTime})
	p.in = p.wire.Reader()
	return p, nil
}

// open opens a connection and sends the request. It does not dial if the request cannot be sent.
func (s Scheme) open(ctx context.Context, env *scheme.Env, q place) (*conn, error) {
	lines, err := q.lines()
	if err != nil {
		return nil, err
	}
	p, err := s.connect(ctx, env, q)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		env.Trace.OnSent(l.String())
	}
	err = p.wire.Send(wire.Lines(lines...))
	if err == nil && q.plus.block != nil && q.plus.block.file != nil {
		_, err = p.over.Write(q.plus.block.file)
	}
	if err != nil {
		p.Close()
		return nil, p.failed(err)
	}
	return p, nil
}

// Close closes the connection. It may be called more than once.
func (p *conn) Close() error {
	p.unbind()
	p.over.Close() // everything of use has been read, so its error does not matter
	return nil
}

// failed returns the error of a transfer that broke off. A connection that was reset or lost ended too early. The client
// decides what other errors mean.
func (p *conn) failed(err error) error {
	switch op, ok := errors.AsType[*net.OpError](err); {
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case ok && op.Op == "read" && !op.Timeout() && !errors.Is(err, net.ErrClosed):
		return scheme.Fail(scheme.CodeBroken, "%w: %w", io.ErrUnexpectedEOF, err)
	}
	return err
}

// defaultGrace is how long a server has to close the connection after an end mark.
//
// QUIRK: some servers never close it. A text may also have a line that is a single dot (pygopherd, 05), so what follows
// within this time belongs to the text.
const defaultGrace = 2 * time.Second

// idleEOFConn is a connection that ends if nothing follows an end mark for some time.
type idleEOFConn struct {
	net.Conn
	grace    time.Duration
	note     func(string)
	endMark  bool // the last line read is an end mark
	ended    bool // nothing followed it in time
	timedOut atomic.Bool
}

// Read returns io.EOF if nothing follows an end mark in time.
func (c *idleEOFConn) Read(b []byte) (int, error) {
	if c.ended {
		return 0, io.EOF
	}
	if !c.endMark {
		return c.Conn.Read(b)
	}
	t := time.AfterFunc(c.grace, func() {
		c.timedOut.Store(true)
		c.Conn.Close()
	})
	n, err := c.Conn.Read(b)
	t.Stop()
	if errors.Is(err, wire.ErrNoCloseNotify) { // the end mark is the end
		err = io.EOF
	}
	if err != nil && c.timedOut.Load() {
		c.ended, err = true, io.EOF
		c.note("the server did not close the connection after its end mark")
	}
	return n, err
}

// sawEndMark says whether the last line read is an end mark.
func (c *idleEOFConn) sawEndMark(is bool) { c.endMark = is }
