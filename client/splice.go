package client

import (
	"errors"
	"io"
	"os"
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
			return total, err
		}
	}
	return total, nil
}
