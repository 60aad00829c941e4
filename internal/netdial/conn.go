package netdial

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Conn is an open connection. A Read or Write fails after the idle timeout without data, or at a
// deadline set by the scheme.
type Conn struct {
	net.Conn
	interactive bool          // Reads have no idle timeout, for interactive sessions; guarded by mu, like idle
	idle        time.Duration // 0 means no limit
	remote      net.Addr      // the server behind a proxy; nil means the other end of Conn
	route       *route        // of a control connection; its data connections use the same route

	mu          sync.Mutex
	read, write time.Time // deadlines set by the scheme; zero means none

	late  func()      // called if the first Read waits for Patience; nil when it has ended
	timer *time.Timer // of late, from the first Read on
}

// deadline returns the deadline of the next Read or Write. own is the deadline that the scheme set
// for it.
func (c *Conn) deadline(own *time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == 0 || c.interactive && own == &c.read {
		return *own
	}
	end := time.Now().Add(c.idle)
	if !own.IsZero() && own.Before(end) {
		return *own
	}
	return end
}

// Peer returns the server at the other end.
func (c *Conn) Peer() Peer {
	if a, ok := addrPort(c.RemoteAddr()); ok {
		return peerAt(a)
	}
	return Peer{Public: true}
}

// CloseWrite closes the writing side. It returns errors.ErrUnsupported through a SOCKS proxy, which
// may close both sides.
func (c *Conn) CloseWrite() error {
	if h, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.remote == nil {
		return h.CloseWrite()
	}
	return errors.ErrUnsupported
}

// RemoteAddr returns the address of the server, not of a proxy.
func (c *Conn) RemoteAddr() net.Addr {
	if c.remote != nil {
		return c.remote
	}
	return c.Conn.RemoteAddr()
}

// SetIdle sets the idle timeout. It also applies to a Read that is waiting already. See
// [scheme.SetIdle].
func (c *Conn) SetIdle(d time.Duration) {
	c.mu.Lock()
	c.idle = d
	c.mu.Unlock()
	_ = c.Conn.SetReadDeadline(c.deadline(&c.read)) // the next Read reports what is wrong with the connection
}

// SetInteractive sets whether Reads have no idle timeout. Those of a session have it in the TLS
// handshake only.
func (c *Conn) SetInteractive(is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interactive = is
}

// set stores a deadline that the scheme sets.
func (c *Conn) set(own *time.Time, t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*own = t
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.set(&c.read, t)
	return c.Conn.SetReadDeadline(c.deadline(&c.read))
}

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.set(&c.write, t)
	return c.Conn.SetWriteDeadline(c.deadline(&c.write))
}

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	if err := c.Conn.SetReadDeadline(c.deadline(&c.read)); err != nil {
		return 0, err
	}
	c.await()
	defer c.heard()
	return c.Conn.Read(p)
}

// await starts the timer of the first Read.
func (c *Conn) await() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.late != nil && c.timer == nil {
		c.timer = time.AfterFunc(Patience, c.late)
	}
}

// heard ends the timer of the first Read.
func (c *Conn) heard() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.late != nil {
		c.timer.Stop()
		c.late = nil
	}
}

// wrote starts the timer of the first Read again: the server may wait for more.
func (c *Conn) wrote() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.late != nil && c.timer != nil && c.timer.Stop() {
		c.timer.Reset(Patience)
	}
}

// Write implements net.Conn.
func (c *Conn) Write(p []byte) (int, error) {
	if err := c.Conn.SetWriteDeadline(c.deadline(&c.write)); err != nil {
		return 0, err
	}
	defer c.wrote()
	return c.Conn.Write(p)
}

// WriteTo implements io.WriterTo: see [Conn.move].
func (c *Conn) WriteTo(w io.Writer) (int64, error) { return c.move(w, -1) }
