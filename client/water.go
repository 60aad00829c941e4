package client

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// step is how much the kernel moves between two looks at the clock.
const step = 4 << 20

// waterMark is how many octets of a large body that comes quickly wake us (SO_RCVLOWAT): being woken for each segment costs
// about as much as moving it. The last octets before the end of a connection wake us however few they are.
const waterMark = 1 << 20

// quickStep is how fast a step has to be before the mark is raised: what it holds back is then there at once.
const quickStep = time.Second

// leftOver is how long is waited for what the mark has held back when the peer has stopped.
const leftOver = 100 * time.Millisecond

// move moves the next n octets that come to w, all to the end of the connection where n is negative, in large steps, so that
// the kernel can splice a socket to a file. Less than n without an error is that end.
func (c *idleConn) move(w io.Writer, n int64) (total int64, err error) {
	conn, done, err := inPoller(c.Conn)
	if err != nil {
		return 0, err
	}
	defer done()
	water := water{conn: conn}
	defer water.fall()
	late := false
	for n < 0 || total < n {
		deadline := c.by(&c.read)
		if late {
			deadline = time.Now().Add(leftOver)
		}
		if err := conn.SetReadDeadline(deadline); err != nil {
			return total, err
		}
		want := int64(step)
		if n >= 0 {
			want = min(step, n-total)
		}
		// No octet behind the n-th may come, so the mark must not wait for any.
		water.set(n < 0 || n-total-want >= waterMark)
		start := time.Now()
		moved, err := io.Copy(w, &io.LimitedReader{R: conn, N: want})
		total += moved
		water.quick = moved == step && time.Since(start) < quickStep
		switch stalled := errors.Is(err, os.ErrDeadlineExceeded); {
		case err == nil && moved < want:
			return total, nil
		case stalled && moved == 0 && water.fall():
			late = true // what was held back is no stall
		case err != nil && !(stalled && moved > 0):
			return total, c.blame(err)
		default:
			late = false
		}
	}
	return total, nil
}

// water is the mark of one connection while a body is moved.
type water struct {
	conn   net.Conn
	quick  bool // the last step was
	raised bool
}

// set raises the mark where that may be and pays, and lowers it elsewhere.
func (x *water) set(may bool) {
	if may && x.quick {
		x.raised = x.raised || lowWater(x.conn, waterMark)
	} else {
		x.fall()
	}
}

// fall lowers the mark; false where it was not raised.
func (x *water) fall() bool {
	if !x.raised {
		return false
	}
	x.raised = false
	return lowWater(x.conn, 1)
}
