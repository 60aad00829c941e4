package client

import (
	"io"
	"net"
	"sync"
	"time"
)

// idleConn fails a Read or Write in which nothing moves for the idle time, or after a deadline of the scheme's own.
type idleConn struct {
	net.Conn
	patient bool          // Reads have no idle limit: a person uses it
	idle    time.Duration // 0 is no limit; guarded by mu
	remote  net.Addr      // the peer behind a proxy; nil is the other end of Conn
	way     *way          // for a control connection: how its data connections go

	mu          sync.Mutex
	read, write time.Time // the scheme's own deadlines; zero is none
}

// by is when the next Read or Write has to move something; own is the scheme's deadline for it.
func (c *idleConn) by(own *time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == 0 || c.patient && own == &c.read {
		return *own
	}
	end := time.Now().Add(c.idle)
	if !own.IsZero() && own.Before(end) {
		return *own
	}
	return end
}

// RemoteAddr follows net.Conn.
func (c *idleConn) RemoteAddr() net.Addr {
	if c.remote != nil {
		return c.remote
	}
	return c.Conn.RemoteAddr()
}

// SetIdle implements what [scheme.SetIdle] asks for.
func (c *idleConn) SetIdle(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = d
}

// set remembers a deadline of the scheme's own.
func (c *idleConn) set(own *time.Time, t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*own = t
}

// SetReadDeadline follows net.Conn.
func (c *idleConn) SetReadDeadline(t time.Time) error {
	c.set(&c.read, t)
	return c.Conn.SetReadDeadline(c.by(&c.read))
}

// SetWriteDeadline follows net.Conn.
func (c *idleConn) SetWriteDeadline(t time.Time) error {
	c.set(&c.write, t)
	return c.Conn.SetWriteDeadline(c.by(&c.write))
}

// SetDeadline follows net.Conn.
func (c *idleConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

func (c *idleConn) Read(p []byte) (int, error) {
	if err := c.Conn.SetReadDeadline(c.by(&c.read)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *idleConn) Write(p []byte) (int, error) {
	if err := c.Conn.SetWriteDeadline(c.by(&c.write)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// WriteTo follows io.WriterTo: see [idleConn.move].
func (c *idleConn) WriteTo(w io.Writer) (int64, error) { return c.move(w, -1) }
