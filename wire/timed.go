package wire

import (
	"fmt"
	"io"
	"time"
)

// timed is a reader that fails when a line or a reply takes too long. A connection with an idle
// timeout bounds the time between two bytes only.
type timed struct {
	r           io.Reader
	line, reply stopwatch
}

// Read implements io.Reader.
func (t *timed) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n == 0 || !t.line.on && !t.reply.on {
		return n, err
	}
	now := time.Now()
	for _, w := range []*stopwatch{&t.line, &t.reply} {
		if w.late(now) {
			return 0, fmt.Errorf("%w (limit %v)", ErrTooSlow, w.limit)
		}
	}
	return n, err
}

// stopwatch measures the time from the first byte after start.
type stopwatch struct {
	limit time.Duration
	on    bool
	begun time.Time // zero before the first byte
}

func (w *stopwatch) start() { w.on, w.begun = true, time.Time{} }
func (w *stopwatch) stop()  { w.on = false }

// late records that bytes have arrived at now, and reports whether they exceed the limit.
func (w *stopwatch) late(now time.Time) bool {
	switch {
	case !w.on:
	case w.begun.IsZero():
		w.begun = now
	default:
		return now.Sub(w.begun) > w.limit
	}
	return false
}

// StartLine is for a caller that reads a line from [Conn.Reader] itself: from the next byte that is
// received to the call of StopLine, it may take Options.LineTime. After that reads return an error
// that matches [ErrTooSlow].
func (c *Conn) StartLine() { c.in.line.start() }

// StopLine ends the time of a line.
func (c *Conn) StopLine() { c.in.line.stop() }

// StartReply is [Conn.StartLine] for several lines, which may take Options.ReplyTime.
func (c *Conn) StartReply() { c.in.reply.start() }

// StopReply ends the time of a reply.
func (c *Conn) StopReply() { c.in.reply.stop() }
