package client

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme"
)

// dialBriefly makes a data connection to a peer that is known to answer within a tick, once policy has said yes, without the
// poller. It is false where another way is to be taken.
func (op *operation) dialBriefly(ctx context.Context, d scheme.Dial) (net.Conn, bool, error) {
	o := &op.c.opt
	to, err := netip.ParseAddrPort(d.Addr)
	if err != nil || !d.Dialogue || d.Purpose != scheme.ForData || o.Dial != nil || to.Addr().Zone() != "" || ctx.Err() != nil {
		return nil, false, nil
	}
	pace := op.c.paces.of(to.Addr().Unmap())
	if !pace.quick() {
		return nil, false, nil
	}
	if err := o.Policy.Addr(d, to); err != nil {
		return nil, true, err
	}
	b := &brief{pace: pace, remote: net.TCPAddrFromAddrPort(to), fd: -1}
	switch err := b.connect(ctx, to, o.Limits.Idle); {
	case errors.Is(err, unix.EADDRNOTAVAIL): // no port is free at the moment: the poller's way tries again
		return nil, false, nil
	case err != nil:
		return nil, true, b.failed("dial", err)
	}
	return b, true, nil
}

// connect makes the socket and connects it; what takes longer than a tick is waited for in the poller.
func (b *brief) connect(ctx context.Context, to netip.AddrPort, idle time.Duration) error {
	var at unix.Sockaddr = &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
	family := unix.AF_INET6
	if a := to.Addr().Unmap(); a.Is4() {
		family, at = unix.AF_INET, &unix.SockaddrInet4{Port: int(to.Port()), Addr: a.As4()}
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	// Whoever ends a connection first keeps its port for a minute; it must not be in the way of a server on this machine.
	err = os.NewSyscallError("setsockopt", unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1))
	if err == nil {
		err = os.NewSyscallError("setsockopt", unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1))
	}
	if err == nil {
		err = bound(fd)
	}
	if err != nil {
		unix.Close(fd)
		return err
	}
	switch err := unix.Connect(fd, at); err {
	case nil:
		b.fd = fd
		if at, ok := b.LocalAddr().(*net.TCPAddr); ok && at.AddrPort() == b.remote.(*net.TCPAddr).AddrPort() {
			b.Close() // nobody listens at a port that was free for us
			return os.NewSyscallError("connect", unix.ECONNREFUSED)
		}
		return nil
	case unix.EINPROGRESS, unix.EALREADY, unix.EAGAIN, unix.EINTR:
		return b.connected(ctx, fd, idle)
	default:
		unix.Close(fd)
		return os.NewSyscallError("connect", err)
	}
}

// connected waits in the poller until a socket is connected.
func (b *brief) connected(ctx context.Context, fd int, idle time.Duration) error {
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return os.NewSyscallError("setnonblock", err)
	}
	f := os.NewFile(uintptr(fd), "tcp") // in the poller, since it does not block
	defer f.Close()
	if idle > 0 {
		f.SetWriteDeadline(time.Now().Add(idle))
	}
	defer context.AfterFunc(ctx, func() { f.SetWriteDeadline(time.Unix(1, 0)) })()
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		code, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_ERROR)
		if err == nil && code != 0 {
			err = syscall.Errno(code)
		}
		if err == nil {
			if _, err = unix.Getpeername(int(fd)); err == unix.ENOTCONN {
				return false
			}
		}
		failed = os.NewSyscallError("connect", err)
		return true
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case failed != nil:
		return failed
	}
	return b.hand(f)
}
