package client

import (
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// pace knows whether a peer answers within a tick. Where it does not, the wait is left out more and more often.
type pace struct {
	misses atomic.Int32 // in a row
	skip   atomic.Int32 // waits to be left out
}

// maxMisses bounds the row: one wait of 1024 looks whether the peer has become quick.
const maxMisses = 10

// quick reports whether a wait in the kernel is worth it.
func (p *pace) quick() bool { return p.skip.Load() <= 0 || p.skip.Add(-1) < 0 }

// wait waits until something can be read from a bounded socket, for a tick at most: then it gives EAGAIN.
//
// The call is one that Go's scheduler does not see, for that takes the processor away from whoever is in a call for 20
// microseconds, and gives it back slowly. The garbage collector waits for it, a tick at most, and quick sees to it that such
// waits are few.
func (p *pace) wait(fd uintptr) syscall.Errno {
	start := time.Now()
	_, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, fd, 0, 0, unix.MSG_PEEK, 0, 0) // no octet is taken
	p.took(time.Since(start))
	return errno
}

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
