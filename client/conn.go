package client

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// idleConn fails a Read or Write in which nothing moves for the idle time.
type idleConn struct {
	net.Conn
	idle time.Duration
}

func (c *idleConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *idleConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// step is how much the kernel moves between two looks at the clock.
const step = 4 << 20

// WriteTo moves what comes to w in large steps, so that the kernel can splice a socket to a file.
func (c *idleConn) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for {
		if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
			return total, err
		}
		n, err := io.Copy(w, &io.LimitedReader{R: c.Conn, N: step})
		total += n
		switch {
		case err == nil && n < step:
			return total, nil
		case err != nil && !(n > 0 && errors.Is(err, os.ErrDeadlineExceeded)):
			return total, err
		}
	}
}

// CloseWrite ends our side, where the connection can.
func (c *idleConn) CloseWrite() error {
	if h, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return h.CloseWrite()
	}
	return errors.ErrUnsupported
}
