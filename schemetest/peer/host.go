package peer

import (
	"crypto/tls"
	"io"
	"net"
	"slices"
	"sync"
)

// Address is where every server listens.
const Address = "127.0.0.1"

// Host is what the servers have in common: a free port of [Address], a record of what reached it, and an end. A server
// embeds it, and has most methods of [Server] from it.
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

// Listen takes a free port. The caller closes the Host.
func Listen() (*Host, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(Address, "0"))
	if err != nil {
		return nil, err
	}
	return &Host{listener: l, port: uint16(l.Addr().(*net.TCPAddr).Port), open: make(map[io.Closer]bool)}, nil
}

// Secure makes it speak TLS from the first octet. It is called before Serve.
func (h *Host) Secure(config *tls.Config) { h.listener = tls.NewListener(h.listener, config) }

// Serve gives each connection to a goroutine of its own, which ends it when handle returns. It does not wait.
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

// Listener is where connections come from, for a server that does not use Serve. It calls Adopt and Release itself.
func (h *Host) Listener() net.Listener { return h.listener }

// Go runs f in a goroutine that Close waits for.
func (h *Host) Go(f func()) { h.group.Go(f) }

// Adopt counts a connection, and holds it.
func (h *Host) Adopt(c net.Conn) bool {
	h.mu.Lock()
	h.total++
	h.mu.Unlock()
	return h.Hold(c)
}

// Hold remembers what Close is to end. Where the Host is closed it ends it at once and reports false.
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

// Release ends what was held.
func (h *Host) Release(c io.Closer) error {
	h.mu.Lock()
	delete(h.open, c)
	h.mu.Unlock()
	return c.Close()
}

// Addr is the host and port.
func (h *Host) Addr() string { return h.listener.Addr().String() }

// Port is the port.
func (h *Host) Port() uint16 { return h.port }

// Misbehave follows [Server].
func (h *Host) Misbehave(f Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = f
}

// Fault is what was ordered last.
func (h *Host) Fault() Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fault
}

// Connections follows [Server].
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

// Lines follows [Server].
func (h *Host) Lines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.lines)
}

// Drop ends all that is held, as a server does that restarts.
func (h *Host) Drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.open {
		c.Close()
	}
}

// Close follows [Server].
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.listener.Close()
	h.Drop()
	h.group.Wait()
}
