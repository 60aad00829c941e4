package client

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
)

// WriteToN is WriteTo for the next n octets: it meets [scheme.WriterToN].
func (c *idleConn) WriteToN(w io.Writer, n int64) (int64, error) {
	var total int64
	for total < n {
		if err := c.Conn.SetReadDeadline(c.by(&c.read)); err != nil {
			return total, err
		}
		want := min(step, n-total)
		moved, err := io.Copy(w, &io.LimitedReader{R: c.Conn, N: want})
		total += moved
		switch {
		case err == nil && moved < want:
			return total, nil
		case err != nil && !(moved > 0 && errors.Is(err, os.ErrDeadlineExceeded)):
			return total, c.blame(err)
		}
	}
	return total, nil
}

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
