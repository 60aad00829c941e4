package client

import (
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxBlocking bounds how many connections of a client block at once, for each may hold a thread.
const maxBlocking = 16

// blocking makes the waits of a connection happen in the kernel and not in Go's poller (decision 0044). A dialogue of short
// turns, such as small files over ftp, is then awake again sooner. The idle limit is the socket's own; what ends at it is
// left to the poller, whose deadline has passed by then.
type blocking struct {
	raw  syscall.RawConn
	open *atomic.Int64 // of the client
	once sync.Once
}

// block gives nil where the connection cannot block, or enough of them do.
func block(conn net.Conn, idle time.Duration, open *atomic.Int64) *blocking {
	tcp, ok := conn.(*net.TCPConn)
	if !ok || idle <= 0 {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	if open.Add(1) > maxBlocking {
		open.Add(-1)
		return nil
	}
	b := &blocking{raw: raw, open: open}
	limit := unix.NsecToTimeval(idle.Nanoseconds())
	if !b.set(func(fd int) bool {
		return unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit) == nil &&
			unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit) == nil &&
			unix.SetNonblock(fd, false) == nil
	}) {
		b.poll()
		return nil
	}
	return b
}

func (b *blocking) set(do func(fd int) bool) (ok bool) {
	err := b.raw.Control(func(fd uintptr) { ok = do(int(fd)) })
	return ok && err == nil
}

// poll goes back to the poller, for good.
func (b *blocking) poll() {
	b.once.Do(func() {
		b.set(func(fd int) bool { return unix.SetNonblock(fd, true) == nil })
		b.open.Add(-1)
	})
}

// end is called before the connection is closed: it wakes whoever waits in it. The close would wait for them.
func (b *blocking) end() {
	b.set(func(fd int) bool { return unix.Shutdown(fd, unix.SHUT_RDWR) == nil })
	b.once.Do(func() { b.open.Add(-1) })
}
