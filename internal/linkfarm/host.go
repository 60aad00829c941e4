package linkfarm

import (
	"net"
	"sync"
)

// host is a listener that counts.
type host struct {
	net.Listener
	mu       sync.Mutex
	open     map[net.Conn]bool
	most     int
	requests int
	active   int
	busiest  int
	early    int
	closed   bool
}

// Accept implements net.Listener.
func (h *host) Accept() (net.Conn, error) {
	c, err := h.Listener.Accept()
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		c.Close()
		return nil, net.ErrClosed
	}
	k := &counted{Conn: c, h: h}
	h.open[k] = true
	h.most = max(h.most, len(h.open))
	return k, nil
}

// end closes the listener and all connections.
func (h *host) end() {
	h.mu.Lock()
	h.closed = true
	var open []net.Conn
	for c := range h.open {
		open = append(open, c)
	}
	h.mu.Unlock()
	h.Listener.Close()
	for _, c := range open {
		c.Close()
	}
}

// request counts a request, until the function that it returns is called.
func (h *host) request() (end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests++
	h.active++
	h.busiest = max(h.busiest, h.active)
	return func() {
		h.mu.Lock()
		h.active--
		h.mu.Unlock()
	}
}

// tooEarly counts a request before the time that the server asked for.
func (h *host) tooEarly() {
	h.mu.Lock()
	h.early++
	h.mu.Unlock()
}

// counted is a connection that its host knows.
type counted struct {
	net.Conn
	h *host
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.h.mu.Lock()
	delete(c.h.open, c)
	c.h.mu.Unlock()
	return c.Conn.Close()
}
