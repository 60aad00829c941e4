package client

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tick bounds a wait in the kernel. The kernel rounds it up to a tick of its clock: 1 to 10 ms.
const tick = time.Millisecond

// brief is a TCP connection that waits in the kernel for a tick, and only then in Go's poller (decision 0044). As long as all
// its waits are short, the poller does not know it: a dialogue of short turns, such as small files over ftp, is then awake
// again sooner and wakes no other threads. Nothing waits in the kernel for longer than a tick, so deadlines and Close hold as
// ever. Who does not close it leaks a descriptor: the garbage collector knows it only while it is with the poller.
type brief struct {
	pace   *pace // of the peer
	remote net.Addr

	mu          sync.Mutex   // held during calls in the kernel, a tick at most
	fd          int          // blocks for a tick at most; -1 where it is the poller's, or closed
	conn        *net.TCPConn // the poller's; nil where it is not
	calls       int          // of conn, at the moment
	stays       bool         // the poller cannot have it: there are no descriptors left
	read, write time.Time    // deadlines
}

// briefly gives conn back where it cannot wait in the kernel. What it gives owns conn.
func briefly(conn net.Conn, pace *pace) net.Conn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return conn
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return conn
	}
	bounded := false
	if err := raw.Control(func(fd uintptr) { bounded = bound(int(fd)) == nil }); err != nil || !bounded {
		return conn
	}
	return &brief{pace: pace, remote: tcp.RemoteAddr(), fd: -1, conn: tcp}
}

// bound makes a socket that blocks do so for a tick at most.
func bound(fd int) error {
	limit := unix.NsecToTimeval(tick.Nanoseconds())
	err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit)
	if err == nil {
		err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit)
	}
	return os.NewSyscallError("setsockopt", err)
}

// Read follows net.Conn.
func (b *brief) Read(p []byte) (int, error) {
	for {
		if n, done, err := b.readBriefly(p); done {
			return n, err
		}
		conn, err := b.enter()
		if err == nil {
			defer b.leave()
			return conn.Read(p)
		}
		if !full(err) {
			return 0, b.failed("read", err)
		}
		runtime.Gosched() // the waits are of calls that the scheduler does not see
	}
}

// readBriefly reads what comes within a tick; done is false where the poller should wait for it.
func (b *brief) readBriefly(p []byte) (n int, done bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case len(p) == 0:
		return 0, true, nil
	case b.stays && passed(b.read):
		return 0, true, b.failed("read", os.ErrDeadlineExceeded)
	case passed(b.read) || !b.stays && !b.pace.quick() || !b.take():
		return 0, false, nil
	}
	errno := b.pace.wait(uintptr(b.fd))
	if errno == 0 {
		n, err = unix.Read(b.fd, p)
		errno, _ = err.(syscall.Errno)
	}
	switch {
	case errno == unix.EAGAIN || errno == unix.EINTR:
		return 0, false, nil
	case errno != 0:
		return 0, true, b.failed("read", os.NewSyscallError("read", errno))
	case n == 0:
		return 0, true, io.EOF
	}
	return n, true, nil
}

// Write follows net.Conn.
func (b *brief) Write(p []byte) (n int, err error) {
	for {
		more, done, err := b.writeBriefly(p[n:])
		if n += more; done {
			return n, err
		}
		conn, err := b.enter()
		if err == nil {
			defer b.leave()
			more, err := conn.Write(p[n:])
			return n + more, err
		}
		if !full(err) {
			return n, b.failed("write", err)
		}
		runtime.Gosched()
	}
}

// maxWrite bounds a write in the kernel, which Close and deadlines have to wait for: where the peer takes all of it, it does
// not end with the tick.
const maxWrite = 256 << 10

// writeBriefly writes what finds room within a tick, where the poller does not have the connection; done is false where there
// is more to write.
func (b *brief) writeBriefly(p []byte) (n int, done bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case len(p) == 0:
		return 0, true, nil
	case b.stays && passed(b.write):
		return 0, true, b.failed("write", os.ErrDeadlineExceeded)
	case b.fd < 0 || passed(b.write):
		return 0, false, nil
	}
	switch n, err := unix.Write(b.fd, p[:min(len(p), maxWrite)]); err {
	case nil:
		return n, n == len(p), nil
	case unix.EAGAIN, unix.EINTR:
		return 0, false, nil
	default:
		return 0, true, b.failed("write", os.NewSyscallError("write", err))
	}
}

func passed(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }

// take has the connection out of the poller, if nobody waits for it there; false where it stays. The caller holds mu.
func (b *brief) take() bool {
	if b.fd >= 0 {
		return true
	}
	if b.conn == nil || b.calls > 0 {
		return false
	}
	raw, err := b.conn.SyscallConn()
	if err != nil {
		return false
	}
	ours := -1
	err = raw.Control(func(fd uintptr) {
		if ours, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0); err != nil {
			ours = -1
		}
	})
	if err != nil || ours < 0 {
		return false
	}
	if unix.SetNonblock(ours, false) != nil {
		unix.Close(ours)
		return false
	}
	b.conn.Close() // that is its descriptor; the connection has another
	b.fd, b.conn = ours, nil
	return true
}

// give has the poller wait for the connection. The caller holds mu.
func (b *brief) give() error {
	if b.conn != nil {
		return nil
	}
	if b.fd < 0 {
		return net.ErrClosed
	}
	other, err := unix.FcntlInt(uintptr(b.fd), unix.F_DUPFD_CLOEXEC, 0) // ours is kept if the poller cannot have one
	if err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	f := os.NewFile(uintptr(other), "tcp")
	defer f.Close()
	if err := b.hand(f); err != nil {
		return err
	}
	unix.Close(b.fd)
	b.fd, b.stays = -1, false
	return nil
}

// hand gives the poller a copy of f.
func (b *brief) hand(f *os.File) error {
	conn, err := net.FileConn(f)
	if err != nil {
		return err
	}
	if err := errors.Join(conn.SetReadDeadline(b.read), conn.SetWriteDeadline(b.write)); err != nil {
		conn.Close()
		return err
	}
	b.conn = conn.(*net.TCPConn)
	return nil
}

// full reports whether the process has as many descriptors as it may: then all waits are in the kernel, tick by tick.
func full(err error) bool { return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) }

// enter begins a call of the connection in the poller, which leave ends.
func (b *brief) enter() (*net.TCPConn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.give(); err != nil {
		b.stays = full(err)
		return nil, err
	}
	b.calls++
	return b.conn, nil
}

func (b *brief) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls--
}

// inPoller gives the connection itself, in the poller, which alone can splice. It stays there until done is called.
// Where there are no descriptors left it is given as it is.
func inPoller(conn net.Conn) (in net.Conn, done func(), err error) {
	b, ok := conn.(*brief)
	if !ok {
		return conn, func() {}, nil
	}
	c, err := b.enter()
	switch {
	case err == nil:
		return c, b.leave, nil
	case full(err):
		return conn, func() {}, nil
	}
	return nil, nil, b.failed("read", err)
}

func (b *brief) failed(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: b.remote, Err: err}
}

// Close follows net.Conn.
func (b *brief) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch fd, conn := b.fd, b.conn; {
	case conn != nil:
		return conn.Close()
	case fd >= 0:
		b.fd = -1
		return os.NewSyscallError("close", unix.Close(fd))
	}
	return b.failed("close", net.ErrClosed)
}

// CloseWrite follows [net.TCPConn.CloseWrite].
func (b *brief) CloseWrite() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.conn != nil:
		return b.conn.CloseWrite()
	case b.fd >= 0:
		return os.NewSyscallError("shutdown", unix.Shutdown(b.fd, unix.SHUT_WR))
	}
	return b.failed("close", net.ErrClosed)
}

// RemoteAddr follows net.Conn.
func (b *brief) RemoteAddr() net.Addr { return b.remote }

// LocalAddr follows net.Conn.
func (b *brief) LocalAddr() net.Addr {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil {
		return b.conn.LocalAddr()
	}
	at, err := unix.Getsockname(b.fd)
	if err != nil {
		return &net.TCPAddr{}
	}
	switch at := at.(type) {
	case *unix.SockaddrInet4:
		return &net.TCPAddr{IP: at.Addr[:], Port: at.Port}
	case *unix.SockaddrInet6:
		return &net.TCPAddr{IP: at.Addr[:], Port: at.Port}
	}
	return &net.TCPAddr{}
}

// SetReadDeadline follows net.Conn.
func (b *brief) SetReadDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.read = t; b.conn != nil {
		return b.conn.SetReadDeadline(t)
	}
	return nil
}

// SetWriteDeadline follows net.Conn.
func (b *brief) SetWriteDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.write = t; b.conn != nil {
		return b.conn.SetWriteDeadline(t)
	}
	return nil
}

// SetDeadline follows net.Conn.
func (b *brief) SetDeadline(t time.Time) error {
	return errors.Join(b.SetReadDeadline(t), b.SetWriteDeadline(t))
}
