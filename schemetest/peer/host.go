package peer

import (
	"crypto/tls"
	"io"
	"net"
	"slices"
	"sync"
)

// Address is the address on which every server listens.
const Address = "127.0.0.1"

// Host is the common base of test servers: a listener on a free port of [Address] and a record of
// connections and lines. A server embeds it, and inherits most methods of [Server].
type Host struct {
	listener net.Listener
	port     uint16
	group    sync.WaitGroup

	mu     sync.Mutex
	fault  Fault
	lines  []string
	open   map[io.Closer]bool
	total  int
	closed bool
}

// Listen returns a Host that listens on a free port. The caller must Close it.
func Listen() (*Host, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(Address, "0"))
	if err != nil {
		return nil, err
	}
	return &Host{listener: l, port: uint16(l.Addr().(*net.TCPAddr).Port), open: make(map[io.Closer]bool)}, nil
}

// ListenFor is Listen for a test: a failure ends the test, and the end of the test closes the Host.
func ListenFor(t interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}) *Host {
	t.Helper()
	h, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// Secure makes the server use TLS from the start of each connection. Call it before Serve.
func (h *Host) Secure(config *tls.Config) { h.listener = tls.NewListener(h.listener, config) }

// Serve calls handle in a new goroutine for each connection, and closes the connection when handle
// returns. Serve returns immediately.
func (h *Host) Serve(handle func(net.Conn)) {
	h.Go(func() {
		for {
			c, err := h.listener.Accept()
			if err != nil {
				return
			}
			if !h.Adopt(c) {
				return
			}
			h.Go(func() {
				defer h.Release(c)
				handle(c)
			})
		}
	})
}

// Listener returns the listener, for a server that does not use Serve. The server must call Adopt
// and Release.
func (h *Host) Listener() net.Listener { return h.listener }

// Go runs f in a goroutine that Close waits for.
func (h *Host) Go(f func()) { h.group.Go(f) }

// Adopt counts a connection and calls Hold.
func (h *Host) Adopt(c net.Conn) bool {
	h.mu.Lock()
	h.total++
	h.mu.Unlock()
	return h.Hold(c)
}

// Hold registers c to be closed by Close. If the Host is already closed, it closes c and returns
// false.
func (h *Host) Hold(c io.Closer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		c.Close()
		return false
	}
	h.open[c] = true
	return true
}

// Release closes c and removes it from the Host.
func (h *Host) Release(c io.Closer) error {
	h.mu.Lock()
	delete(h.open, c)
	h.mu.Unlock()
	return c.Close()
}

// Addr returns the host and port.
func (h *Host) Addr() string { return h.listener.Addr().String() }

// Port returns the port.
func (h *Host) Port() uint16 { return h.port }

// Misbehave implements [Server].
func (h *Host) Misbehave(f Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = f
}

// Fault returns the current fault.
func (h *Host) Fault() Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fault
}

// Connections implements [Server].
func (h *Host) Connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}

// Seen records a line.
func (h *Host) Seen(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
}

// Lines implements [Server].
func (h *Host) Lines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.lines)
}

// Drop closes all connections, as a server that restarts.
func (h *Host) Drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.open {
		c.Close()
	}
}

// Close implements [Server].
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.listener.Close()
	h.Drop()
	h.group.Wait()
}
