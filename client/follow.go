package client

import (
	"cmp"
	"context"
	"slices"
	"time"

	"locator/scheme"
)

// follow runs a task for r.URL, and for the target of each referral.
func (c *Client) follow(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	left := maxTargets
	return c.within(ctx, r, time.Time{}, func(ctx context.Context) (*scheme.Resource, error) {
		return c.followFrom(ctx, name, r, initialHops(r), do, &left)
	})
}

// maxTargets is how many targets of referrals with several targets one call tries: each of them may
// refer to several others.
const maxTargets = 100

// followFrom implements follow. via are the hops that led to r.URL; left is how many of maxTargets
// are left.
func (c *Client) followFrom(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, do task, left *int) (*scheme.Resource, error) {
	for {
		op, s, err := c.begin(name, r, via)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil { // the chain took too long
			return nil, op.wrap(ctx, err)
		}
		res, err := op.run(ctx, s, do)
		if err != nil {
			return nil, op.wrap(ctx, err)
		}
		if res.Kind != scheme.KindReferral {
			return op.finish(ctx, res), nil
		}
		if len(res.Next) == 0 {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "the referral has no target")
		}
		hop := op.nextHop(cmp.Or(res.Hop, scheme.HopRedirect), res.Permanent) // the strictest kind, if the scheme does not say
		op.trace.OnNote("referred to " + res.Next[0].URL.Redacted())
		via = append(slices.Clip(via), hop)
		if len(res.Next) > 1 {
			return c.followFirst(ctx, name, r, via, res, do, left)
		}
		r.URL = res.Next[0].URL
		res.Close()
	}
}

// followFirst tries the targets of a referral in order. If all fail, the error is that of the
// first.
func (c *Client) followFirst(ctx context.Context, name scheme.Op, r scheme.Request, via []scheme.Hop, ref *scheme.Resource, do task, left *int) (*scheme.Resource, error) {
	defer ref.Close()
	var failed error
	for _, e := range ref.Next {
		if *left == 0 {
			return nil, cmp.Or(failed, error(&scheme.Error{Op: name, URL: e.URL.Redacted(), Code: scheme.CodeLoop,
				Err: scheme.Fail(scheme.CodeLoop, "stopped after %d targets of referrals; there may be a loop", maxTargets).Err}))
		}
		*left--
		r.URL = e.URL
		res, err := c.followFrom(ctx, name, r, via, do, left)
		if err == nil {
			return res, nil
		}
		if failed == nil || ctx.Err() != nil {
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}
