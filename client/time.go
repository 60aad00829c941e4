package client

import (
	"context"
	"fmt"
	"io"
	"time"

	"locator/scheme"
)

// within calls do with a context that ends after Limits.Time, or at a deadline that was set before
// if that is not zero, and when the resource is closed. If the resource has a body, entries,
// members or a session, they must be used before that, too.
func (c *Client) within(ctx context.Context, r scheme.Request, set time.Time, do func(context.Context) (*scheme.Resource, error)) (*scheme.Resource, error) {
	limit := r.Limits.Or(c.opt.Limits).Time
	var cancel context.CancelFunc
	switch {
	case limit <= 0:
		ctx, cancel = context.WithCancel(ctx)
	case set.IsZero():
		ctx, cancel = context.WithTimeoutCause(ctx, limit, overLimit(limit))
	default:
		ctx, cancel = context.WithDeadlineCause(ctx, set, overLimit(limit))
	}
	res, err := do(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	body, ok := res.Body.(*body)
	switch {
	case ok:
		body.cancel = cancel
	case res.Entries == nil && res.Members == nil && res.Session == nil:
		cancel()
	default:
		res.Closer = &lastCloser{res.Closer, cancel}
	}
	return res, nil
}

// overLimit is the error of an operation that took longer than the limit.
type overLimit time.Duration

func (e overLimit) Error() string {
	return fmt.Sprintf("it took longer than the limit of %v (%v)", time.Duration(e), context.DeadlineExceeded)
}

func (e overLimit) Unwrap() error { return context.DeadlineExceeded }

// lastCloser is the Closer of entries or a session. It ends their context.
type lastCloser struct {
	io.Closer
	cancel context.CancelFunc
}

func (c *lastCloser) Close() error {
	defer c.cancel()
	if c.Closer == nil {
		return nil
	}
	return c.Closer.Close()
}
