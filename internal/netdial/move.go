package netdial

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"time"
)

// moveStep is how many bytes the kernel moves before the idle deadline is renewed.
const moveStep = 4 << 20

// fastStep is how quickly a step must complete for SO_RCVLOWAT to be raised: the data that it holds
// back then arrives soon.
const fastStep = time.Second

// heldBackWait is the timeout for reading data that SO_RCVLOWAT held back, after the server has
// stopped sending.
const heldBackWait = 100 * time.Millisecond

// move copies the next n bytes to w, or all bytes until the end of the connection if n is negative.
// It copies in large steps, so that the kernel can splice the socket to a file. If it copies fewer
// than n bytes without an error, the connection ended.
func (c *Conn) move(w io.Writer, n int64) (total int64, err error) {
	mark := rcvLowat{conn: c.Conn}
	defer mark.reset()
	heldBack := false
	for n < 0 || total < n {
		deadline := c.deadline(&c.read)
		if heldBack {
			deadline = time.Now().Add(heldBackWait)
		}
		if err := c.Conn.SetReadDeadline(deadline); err != nil {
			return total, err
		}
		want := int64(moveStep)
		if n >= 0 {
			want = min(moveStep, n-total)
		}
		// The server may send nothing after byte n, so the mark must not exceed the remaining
		// bytes.
		if mark.fast && (n < 0 || n-total-want >= rcvLowatBytes) {
			mark.raise()
		} else {
			mark.reset()
		}
		start := time.Now()
		moved, err := io.Copy(w, &io.LimitedReader{R: c.Conn, N: want})
		total += moved
		mark.fast = moved == moveStep && time.Since(start) < fastStep
		switch stalled := errors.Is(err, os.ErrDeadlineExceeded); {
		case err == nil && moved < want:
			return total, nil
		case stalled && moved == 0 && mark.reset():
			heldBack = true // less data than the mark may have arrived
		case err != nil && !(stalled && moved > 0):
			return total, c.attribute(err)
		default:
			heldBack = false
		}
	}
	return total, nil
}

// WriteToN copies the next n bytes to w. It implements [wire.CopyN].
func (c *Conn) WriteToN(w io.Writer, n int64) (int64, error) { return c.move(w, max(n, 0)) }

// attribute converts err to a read error of the connection if the connection caused it. During a
// splice package os reports such errors as failed writes of the file.
func (c *Conn) attribute(err error) error {
	var errno syscall.Errno
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return err
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded): // a file has no deadline
		return c.readError(os.ErrDeadlineExceeded)
	case errors.As(err, &errno) && slices.Contains([]syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.ETIMEDOUT, syscall.ENOTCONN,
		syscall.EHOSTUNREACH, syscall.EHOSTDOWN, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.ENETRESET}, errno):
		return c.readError(errno)
	}
	return err
}

// readError returns err as a read error of the connection.
func (c *Conn) readError(err error) error {
	return &net.OpError{Op: "read", Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}
