package client

import (
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
)

// WriteToN is WriteTo for the next n octets: it meets [scheme.WriterToN].
func (c *idleConn) WriteToN(w io.Writer, n int64) (int64, error) { return c.move(w, max(n, 0)) }

// blame tells trouble with the connection from trouble with the file that it is spliced to: package os calls both a
// failed write of the file.
func (c *idleConn) blame(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) || !slices.Contains([]syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.ETIMEDOUT, syscall.ENOTCONN,
		syscall.EHOSTUNREACH, syscall.EHOSTDOWN, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.ENETRESET}, errno) {
		return err
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return err
	}
	return c.lost(errno)
}

// lost is an error of reading the connection.
func (c *idleConn) lost(err error) error {
	return &net.OpError{Op: "read", Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}
