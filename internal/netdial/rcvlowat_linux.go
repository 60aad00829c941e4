package netdial

import (
	"net"

	"golang.org/x/sys/unix"
)

// rcvLowatBytes is how much data of a large, fast body must have arrived before the reader is
// woken: a wakeup per segment costs about as much as the copy (decision 0062). The end of the
// connection wakes the reader however little came before.
const rcvLowatBytes = 1 << 20

// rcvLowat is the SO_RCVLOWAT of one connection while a body is read from it.
type rcvLowat struct {
	conn   net.Conn
	fast   bool // the last step was fast
	raised bool
}

// raise sets the mark to rcvLowatBytes.
func (m *rcvLowat) raise() { m.raised = m.raised || m.set(rcvLowatBytes) }

// reset lowers the mark. It reports whether it was raised.
func (m *rcvLowat) reset() bool {
	if !m.raised {
		return false
	}
	m.raised = false
	return m.set(1)
}

// set sets SO_RCVLOWAT. It returns false if the connection does not support it.
func (m *rcvLowat) set(bytes int) bool {
	tcp, ok := m.conn.(*net.TCPConn)
	if !ok {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return false
	}
	set := false
	err = raw.Control(func(fd uintptr) {
		set = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVLOWAT, bytes) == nil
	})
	return set && err == nil
}
