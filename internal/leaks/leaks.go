// Package leaks finds the connections and bodies that a test leaves open. The ordinary clients of tests dial through a [Ledger]:
//
//	l := leaks.Watch(t)
//	c := client.New(client.Options{Dial: l.Dial(nil)})
//	l.Ends(c)
//
// It is for tests only. It does not know package client, so that client's own tests can use it.
package leaks

import (
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator/scheme"
)

// Ledger records what is open. It is safe for concurrent use.
type Ledger struct {
	t    testing.TB
	ctx  context.Context // of the test: it ends just before the functions of t.Cleanup run
	mu   sync.Mutex
	open map[*entry]string // what is open, and what it is
	late []string          // what only the end of the test's context closed
}

// Watch makes a ledger.
func Watch(t testing.TB) *Ledger {
	return &Ledger{t: t, ctx: t.Context(), open: make(map[*entry]string)}
}

// Ends closes c, a client or nil, when the test ends, and fails the test if a connection or a body was left open before that. What lies
// in the client's pool is closed by c. A test that closes something later than that, in a t.Cleanup, has to be made
// to close it before it returns.
func (l *Ledger) Ends(c io.Closer) {
	l.t.Helper()
	l.t.Cleanup(func() {
		l.t.Helper()
		if c != nil {
			if err := c.Close(); err != nil {
				l.t.Errorf("closing the client: %v", err)
			}
		}
		for _, what := range l.left(3 * time.Second) {
			l.t.Errorf("the test leaves %s open", what)
		}
	})
}

// left waits until nothing is open, for so long at most: some close in a goroutine. It returns what is, and what
// was closed by the end of the test's context alone.
func (l *Ledger) left(wait time.Duration) []string {
	for end := time.Now().Add(wait); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		if len(l.open) == 0 || time.Now().After(end) {
			break
		}
		l.mu.Unlock()
	}
	defer l.mu.Unlock()
	list := append([]string(nil), l.late...)
	for _, what := range l.open {
		list = append(list, what)
	}
	return list
}

// Dial makes an Options.Dial that records the connections of another one; nil is the network.
func (l *Ledger) Dial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		return l.conn(c, addr, err)
	}
}

// DialFor is Dial for the function of a scheme.Env.
func (l *Ledger) DialFor(dial func(context.Context, scheme.Dial) (net.Conn, error)) func(context.Context, scheme.Dial) (net.Conn, error) {
	return func(ctx context.Context, d scheme.Dial) (net.Conn, error) {
		c, err := dial(ctx, d)
		return l.conn(c, d.Addr, err)
	}
}

// conn records c, unless there is an error.
func (l *Ledger) conn(c net.Conn, addr string, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	e := &entry{l: l}
	l.add(e, "a connection to "+addr)
	if tcp, ok := c.(*net.TCPConn); ok { // with all that it can
		return &tcpConn{tcp, e}, nil
	}
	return &conn{c, e}, nil
}

// Body records a body. It hides that b is an io.WriterTo.
func (l *Ledger) Body(b io.ReadCloser) io.ReadCloser {
	e := &entry{l: l}
	l.add(e, "a body")
	return &body{b, e}
}

// Closer records something that must be closed, and closes c, which may be nil.
func (l *Ledger) Closer(c io.Closer) io.Closer {
	e := &entry{l: l}
	l.add(e, "a resource")
	return &closer{c, e}
}

func (l *Ledger) add(e *entry, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[e] = what
}

// entry is what one thing has in the ledger.
type entry struct {
	l     *Ledger
	ended atomic.Bool // a Read has failed: the other end has closed
}

// closes strikes the entry out. What the end of the test's context closes has been forgotten by the test.
func (e *entry) closes() {
	forgotten := e.l.ctx.Err() != nil && e.byContext()
	e.l.mu.Lock()
	defer e.l.mu.Unlock()
	if what, ok := e.l.open[e]; ok && forgotten {
		e.l.late = append(e.l.late, what)
	}
	delete(e.l.open, e)
}

// byContext reports whether the caller runs because a context has ended: in a goroutine of [context.AfterFunc], or in that of
// net/http, which also ends when the other end closes.
func (e *entry) byContext() bool {
	buf := make([]byte, 64<<10)
	stack := string(buf[:runtime.Stack(buf, false)])
	return strings.Contains(stack, "created by context.(*afterFuncCtx)") ||
		strings.Contains(stack, "net/http.(*persistConn).readLoop(") && !e.ended.Load()
}

func (e *entry) read(n int, err error) (int, error) {
	if err != nil {
		e.ended.Store(true)
	}
	return n, err
}

type tcpConn struct {
	*net.TCPConn
	e *entry
}

func (c *tcpConn) Read(p []byte) (int, error) { return c.e.read(c.TCPConn.Read(p)) }

func (c *tcpConn) Close() error {
	c.e.closes()
	return c.TCPConn.Close()
}

type conn struct {
	net.Conn
	e *entry
}

func (c *conn) Read(p []byte) (int, error) { return c.e.read(c.Conn.Read(p)) }

func (c *conn) Close() error {
	c.e.closes()
	return c.Conn.Close()
}

type body struct {
	io.ReadCloser
	e *entry
}

func (b *body) Close() error {
	b.e.closes()
	return b.ReadCloser.Close()
}

type closer struct {
	c io.Closer
	e *entry
}

func (c *closer) Close() error {
	c.e.closes()
	if c.c == nil {
		return nil
	}
	return c.c.Close()
}
