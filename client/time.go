package client

import (
	"context"
	"fmt"
	"io"
	"time"

	"locator/scheme"
)

// within calls do with a context that ends after Limits.Time, or at a deadline that was set before if that is not zero. If the
// resource has a body, entries or a session, they must be used before that, too.
func (c *Client) within(ctx context.Context, r scheme.Request, set time.Time, do func(context.Context) (*scheme.Resource, error)) (*scheme.Resource, error) {
	limit := r.Limits.Or(c.opt.Limits).Time
	if limit <= 0 {
		return do(ctx)
	}
	cause := fmt.Errorf("it took longer than the limit of %v (%w)", limit, context.DeadlineExceeded)
	var cancel context.CancelFunc
	if set.IsZero() {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, cause)
	} else {
		ctx, cancel = context.WithDeadlineCause(ctx, set, cause)
	}
	res, err := do(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	body, ok := res.Body.(*body)
	switch {
	case ok:
		body.done = cancel
	case res.Entries == nil && res.Session == nil:
		cancel()
	default:
		res.Closer = &timedCloser{res.Closer, cancel}
	}
	return res, nil
}

// timedCloser is the Closer of a resource whose time is limited.
type timedCloser struct {
	io.Closer
	cancel context.CancelFunc
}

func (c *timedCloser) Close() error {
	defer c.cancel()
	if c.Closer == nil {
		return nil
	}
	return c.Closer.Close()
}
