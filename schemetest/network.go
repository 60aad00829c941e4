package schemetest

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// network implements client.Options.Dial. It counts open connections, and bytes.
type network struct {
	mu       sync.Mutex
	open     map[*recorded]bool
	dialled  int
	received int64
	sent     int64
}

func newNetwork() *network { return &network{open: make(map[*recorded]bool)} }

func (n *network) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &recorded{Conn: conn, n: n}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open[c] = true
	n.dialled++
	return c, nil
}

// left returns the number of open connections when it is 0, or after wait.
func (n *network) left(wait time.Duration) int {
	for end := time.Now().Add(wait); ; time.Sleep(time.Millisecond) {
		n.mu.Lock()
		left := len(n.open)
		n.mu.Unlock()
		if left == 0 || time.Now().After(end) {
			return left
		}
	}
}

// bytesReceived returns the number of bytes received so far.
func (n *network) bytesReceived() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.received
}

// bytesSent returns the number of bytes sent so far.
func (n *network) bytesSent() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent
}

// connections returns the number of connections made so far.
func (n *network) connections() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dialled
}

// recorded is a connection of a network.
type recorded struct {
	net.Conn
	n *network
}

func (c *recorded) Read(p []byte) (int, error) {
	got, err := c.Conn.Read(p)
	c.n.mu.Lock()
	c.n.received += int64(got)
	c.n.mu.Unlock()
	return got, err
}

func (c *recorded) Write(p []byte) (int, error) {
	put, err := c.Conn.Write(p)
	c.n.mu.Lock()
	c.n.sent += int64(put)
	c.n.mu.Unlock()
	return put, err
}

// CloseWrite closes the writing side, as that of a *net.TCPConn does.
func (c *recorded) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *recorded) Close() error {
	c.n.mu.Lock()
	delete(c.n.open, c)
	c.n.mu.Unlock()
	return c.Conn.Close()
}
