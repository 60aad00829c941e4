package client

import (
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// pace knows how soon a peer answers. A kind of wait that was in vain is left out more and more often.
type pace struct {
	asleep row // waits in the kernel, for a tick
	awake  row // waits that look again and again, for a moment
}

// moment is how long is looked for an answer before the kernel is left to wait for it. To be woken takes longer than a near
// peer needs, most of all where a machine is not the only one on its processor.
const moment = 100 * time.Microsecond

// turn is how long a look takes at most where nobody else has had the processor meanwhile.
const turn = 20 * time.Microsecond

// quick reports whether a wait in the kernel is worth it.
func (p *pace) quick() bool { return p.asleep.worth() }

// wait waits until something can be read from a bounded socket, for a tick at most: then it gives EAGAIN.
//
// The call is one that Go's scheduler does not see, for that takes the processor away from whoever is in a call for 20
// microseconds, and gives it back slowly. The garbage collector waits for it, a tick at most, and quick sees to it that such
// waits are few.
func (p *pace) wait(fd uintptr) syscall.Errno {
	errno := peek(fd, unix.MSG_DONTWAIT)
	if errno != unix.EAGAIN { // what is there already says nothing of the peer
		return errno
	}
	start := time.Now()
	if p.awake.worth() {
		errno = p.look(fd, start)
	}
	if errno == unix.EAGAIN {
		if errno = peek(fd, 0); errno == 0 { // it is that, too, where the time is over
			errno = peek(fd, unix.MSG_DONTWAIT)
		}
	}
	p.asleep.took(errno == unix.EAGAIN || time.Since(start) >= tick, 0)
	return errno
}

// look looks for an answer for a moment.
func (p *pace) look(fd uintptr, start time.Time) syscall.Errno {
	for last := start; ; {
		_, _, _ = syscall.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) // others may want this processor
		errno, now := peek(fd, unix.MSG_DONTWAIT), time.Now()
		waited := now.Sub(start)
		switch {
		case errno != unix.EAGAIN || waited >= moment:
			p.awake.took(errno == unix.EAGAIN, 4)
			return errno
		case now.Sub(last) > turn: // they do, and the peer may be one of them
			return errno
		}
		last = now
	}
}

// peek sees whether something can be read. No octet is taken.
func peek(fd, flags uintptr) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, fd, 0, 0, unix.MSG_PEEK|flags, 0, 0)
	return errno
}

// row counts the waits in a row that were in vain.
type row struct {
	misses atomic.Int32
	skip   atomic.Int32 // waits to be left out
}

// maxMisses bounds the row: one wait of 1024 looks whether the peer has become quick.
const maxMisses = 10

// worth reports whether the next wait is to be tried.
func (r *row) worth() bool { return r.skip.Load() <= 0 || r.skip.Add(-1) < 0 }

// took is told whether a wait was in vain. So many in a row are forgiven.
func (r *row) took(vain bool, forgiven int32) {
	if !vain {
		r.misses.Store(0)
		return
	}
	misses := min(r.misses.Load()+1, maxMisses)
	r.misses.Store(misses)
	if misses > forgiven {
		r.skip.Store(1 << misses)
	}
}
