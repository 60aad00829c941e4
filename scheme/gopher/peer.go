package gopher

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// peer is the connection of one exchange: a request is sent, and what comes back is read to its end.
type peer struct {
	ctx    context.Context
	conn   net.Conn // as Env gave it
	link   *patient // the same, for reading
	wire   *wire.Conn
	in     *bufio.Reader
	unbind func() bool
}

// connect connects and sends nothing.
func (s Scheme) connect(ctx context.Context, env *scheme.Env, at place) (*peer, error) {
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: at.addr()})
	if err != nil {
		return nil, err
	}
	p := &peer{ctx: ctx, unbind: scheme.Bind(ctx, conn)}
	if p.conn = conn; at.secure {
		if p.conn, err = handshake(ctx, conn, env.TLS(strings.Trim(at.host, "[]"))); err != nil {
			p.unbind()
			conn.Close()
			return nil, err
		}
	}
	p.link = &patient{Conn: p.conn, grace: s.patience(), note: env.Tell}
	p.wire = wire.NewConn(p.link, wire.Options{MaxLine: env.Limits.Line})
	p.in = p.wire.Reader()
	return p, nil
}

// open connects and sends. Nothing is dialled for a request that cannot be sent.
func (s Scheme) open(ctx context.Context, env *scheme.Env, q request) (*peer, error) {
	lines, err := q.lines()
	if err != nil {
		return nil, err
	}
	p, err := s.connect(ctx, env, q.place)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		env.Trace.OnSent(l.String())
	}
	err = p.wire.Send(wire.Lines(lines...))
	if err == nil && q.plus.block != nil && q.plus.block.file != nil {
		_, err = p.conn.Write(q.plus.block.file)
	}
	if err != nil {
		p.Close()
		return nil, p.failed(err)
	}
	return p, nil
}

// handshake begins TLS. There is no way back to a connection in the clear: who asked for TLS would not know.
func handshake(ctx context.Context, conn net.Conn, config *tls.Config) (net.Conn, error) {
	c := tls.Client(conn, config)
	err := c.HandshakeContext(ctx)
	switch _, plain := errors.AsType[tls.RecordHeaderError](err); {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case plain:
		return nil, scheme.Fail(scheme.CodeProtocol, "the server does not speak TLS on this port: %w", err)
	}
	return nil, err
}

// Close ends the connection. It may be called more than once.
func (p *peer) Close() error {
	p.unbind()
	p.conn.Close() // all that is of use has been read; what closing says changes nothing
	return nil
}

// failed is the error of a transfer that broke off. A connection that the peer reset, or that was lost, ended too
// early; what anything else means is for the client to say.
func (p *peer) failed(err error) error {
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
// QUIRK: some never do. A text may also hold a line that is a single dot (pygopherd, 05), so what follows within this
// time belongs to it.
const defaultGrace = 2 * time.Second

// patient is a connection that ends some time after an end mark.
type patient struct {
	net.Conn
	grace  time.Duration
	note   func(string)
	marked bool // the last line read was an end mark
	ended  bool // nothing followed it in time
	over   atomic.Bool
}

// Read gives io.EOF when nothing follows an end mark in time.
func (p *patient) Read(b []byte) (int, error) {
	if p.ended {
		return 0, io.EOF
	}
	if !p.marked {
		return p.Conn.Read(b)
	}
	t := time.AfterFunc(p.grace, func() {
		p.over.Store(true)
		p.Conn.Close()
	})
	n, err := p.Conn.Read(b)
	t.Stop()
	if err != nil && p.over.Load() {
		p.ended, err = true, io.EOF
		p.note("the server did not close the connection behind its end mark")
	}
	return n, err
}

// mark says whether the last line read was an end mark.
func (p *patient) mark(is bool) { p.marked = is }
