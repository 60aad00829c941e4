package client

import (
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tick bounds a wait in the kernel. The kernel rounds it up to a tick of its clock: 1 to 10 ms.
const tick = time.Millisecond

// brief makes the first tick of each wait of a connection happen in the kernel, and only the rest in Go's poller (decision
// 0044). A dialogue of short turns, such as small files over ftp, is then awake again sooner and wakes no other threads.
// Nothing waits in the kernel for longer than a tick, so deadlines and Close hold as ever.
type brief struct {
	raw  syscall.RawConn
	pace *pace
	over atomic.Bool
}

// briefly gives nil where the connection cannot wait in the kernel. pace is that of the peer.
func briefly(conn net.Conn, pace *pace) *brief {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	limit := unix.NsecToTimeval(tick.Nanoseconds())
	bounded := false
	err = raw.Control(func(fd uintptr) {
		bounded = unix.SetsockoptTimeval(int(fd), unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit) == nil &&
			unix.SetsockoptTimeval(int(fd), unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit) == nil &&
			unix.SetNonblock(int(fd), false) == nil // last: without a bound it must not block
	})
	if err != nil || !bounded {
		return nil
	}
	return &brief{raw: raw, pace: pace}
}

// read waits until something can be read, for a tick at most. Its error is that of the connection, and no later call gives it
// again.
//
// The call is one that Go's scheduler does not see, for that takes the processor away from whoever is in a call for 20
// microseconds, and gives it back slowly. The garbage collector waits for it, a tick at most, and pace sees to it that such
// waits are few.
func (b *brief) read() error {
	if b.over.Load() || !b.pace.quick() {
		return nil
	}
	var errno syscall.Errno
	start := time.Now()
	err := b.raw.Control(func(fd uintptr) {
		_, _, errno = syscall.RawSyscall6(unix.SYS_RECVFROM, fd, 0, 0, unix.MSG_PEEK, 0, 0) // no octet is taken
	})
	b.pace.took(time.Since(start))
	if err != nil || errno == 0 || errno == syscall.EAGAIN || errno == syscall.EINTR {
		return nil // the read itself says whether it is closed
	}
	return os.NewSyscallError("recvfrom", errno)
}

// end leaves all waits to the poller from now on.
func (b *brief) end() {
	if b != nil && !b.over.Swap(true) {
		_ = b.raw.Control(func(fd uintptr) { _ = unix.SetNonblock(int(fd), true) }) // it works either way
	}
}

// pace knows whether a peer answers within a tick. Where it does not, the wait is left out more and more often.
type pace struct {
	misses atomic.Int32 // in a row
	skip   atomic.Int32 // waits to be left out
}

// maxMisses bounds the row: one wait of 1024 looks whether the peer has become quick.
const maxMisses = 10

// quick reports whether a wait in the kernel is worth it.
func (p *pace) quick() bool { return p.skip.Load() <= 0 || p.skip.Add(-1) < 0 }

// took is told how long a wait was.
func (p *pace) took(d time.Duration) {
	if d < tick {
		p.misses.Store(0)
		return
	}
	if p.misses.Load() < maxMisses {
		p.misses.Add(1)
	}
	p.skip.Store(1 << p.misses.Load())
}
