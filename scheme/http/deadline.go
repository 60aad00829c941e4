package http

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// deadline is the context of a request. It ends if the header of the response does not come in time
// after the request has been sent. The tap does the same for HTTP/1.1, but over HTTP/2 frames of
// other kinds may come for ever.
type deadline struct {
	context.Context
	cancel context.CancelCauseFunc
	limit  time.Duration

	mu      sync.Mutex
	stopped bool
	timer   *time.Timer // nil before start
}

func newDeadline(ctx context.Context, limit time.Duration) *deadline {
	d := &deadline{limit: limit}
	d.Context, d.cancel = context.WithCancelCause(ctx)
	return d
}

// errLate is the cause of the end of a deadline.
var errLate = fmt.Errorf("the header takes too long: %w", context.DeadlineExceeded)

// start is called when the request has been sent.
func (d *deadline) start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil && !d.stopped {
		d.timer = time.AfterFunc(d.limit, func() { d.cancel(errLate) })
	}
}

// stop is called when the header has come, or no header will.
func (d *deadline) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	if d.timer != nil {
		d.timer.Stop()
	}
}

// passed reports whether the header came too late.
func (d *deadline) passed() bool { return context.Cause(d) == errLate }
