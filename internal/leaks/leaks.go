package leaks

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"locator/scheme"
)

// Ledger records the open connections and bodies of a test. It is safe for concurrent use.
type Ledger struct {
	t    testing.TB
	ctx  context.Context // of the test: it ends just before the functions of t.Cleanup run
	mu   sync.Mutex
	open map[*entry]string // open things and their descriptions
	late []string          // descriptions of those that the end of the test's context closed
}

// Watch returns a new Ledger for a test.
func Watch(t testing.TB) *Ledger {
	return &Ledger{t: t, ctx: t.Context(), open: make(map[*entry]string)}
}

// Ends closes c, which may be nil, at the end of the test, and fails the test if a connection or a
// body is still open then. c is usually a client, which closes the connections of its pool.
// Functions of t.Cleanup that were registered before Ends run too late to close anything.
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
			l.t.Errorf("%s is still open at the end of the test", what)
		}
	})
}

// left waits until nothing is open, at most for wait, since some are closed by another goroutine.
// It returns the descriptions of what is still open or was closed only by the end of the test's
// context.
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

// Dial returns an Options.Dial that records the connections that dial makes. If dial is nil, it
// dials the network.
func (l *Ledger) Dial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		return l.conn(c, addr, err)
	}
}

// DialFor returns a Dial function for a scheme.Env that records the connections that dial makes.
func (l *Ledger) DialFor(dial func(context.Context, scheme.Dial) (net.Conn, error)) func(context.Context, scheme.Dial) (net.Conn, error) {
	return func(ctx context.Context, d scheme.Dial) (net.Conn, error) {
		c, err := dial(ctx, d)
		if d.Over != nil { // it is recorded already
			return c, err
		}
		return l.conn(c, d.Addr, err)
	}
}

// conn records c unless err is set.
func (l *Ledger) conn(c net.Conn, addr string, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	e := &entry{l: l}
	l.add(e, "a connection to "+addr)
	if tcp, ok := c.(*net.TCPConn); ok { // keep the methods of *net.TCPConn
		return &tcpConn{tcp, e}, nil
	}
	return &conn{c, e}, nil
}

// Body records a body. The result does not implement io.WriterTo, even if b does.
func (l *Ledger) Body(b io.ReadCloser) io.ReadCloser {
	e := &entry{l: l}
	l.add(e, "a body")
	return &body{closer{b, e}, b}
}

// Closer records c, which may be nil. Closing the result closes c.
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

// entry is the record of one connection or body.
type entry struct {
	l     *Ledger
	ended atomic.Bool // a Read has failed other than by a timeout, so the other end has closed
}

// closes removes the entry. It records the entry as late if the end of the test's context caused
// the call.
func (e *entry) closes() {
	forgotten := e.l.ctx.Err() != nil && e.byContext()
	e.l.mu.Lock()
	defer e.l.mu.Unlock()
	if what, ok := e.l.open[e]; ok && forgotten {
		e.l.late = append(e.l.late, what)
	}
	delete(e.l.open, e)
}

// byContext reports whether the caller runs because a context has ended: in a goroutine of
// [context.AfterFunc], or in one of net/http, which also ends when the other end closes the
// connection. A TLS server's close_notify closes it without a Read that fails here; net/http
// notices it on an idle connection, which no body needs.
func (e *entry) byContext() bool {
	buf := make([]byte, 64<<10)
	stack := string(buf[:runtime.Stack(buf, false)])
	return strings.Contains(stack, "created by context.(*afterFuncCtx)") ||
		strings.Contains(stack, "net/http.(*persistConn).readLoop(") && !strings.Contains(stack, ".readLoopPeekFailLocked(") && !e.ended.Load()
}

func (e *entry) read(n int, err error) (int, error) {
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
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
	closer
	io.Reader
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
