package client

import (
	"context"
	"fmt"

	"locator/scheme"
)

// withMirrors runs a task for r.URL and, if its server is unreachable or unavailable, for each
// mirror in order. The policy checks a mirror as it checks r.URL, with the same hop. If all fail,
// the error is that of r.URL.
func (c *Client) withMirrors(ctx context.Context, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, error) {
	res, failed := c.follow(ctx, name, r, do)
	if failed == nil {
		return res, nil
	}
	tell := func(text string) {
		(&operation{c: c, r: r}).note(text)
		c.opt.Trace.And(r.Trace).OnNote(text)
	}
	for _, u := range r.Mirrors {
		if !worthAnotherHost(failed) || ctx.Err() != nil {
			break
		}
		at := r
		at.URL, at.From = u, mirrorHop(r)
		res, err := c.follow(ctx, name, at, do)
		if err != nil {
			tell(fmt.Sprintf("mirror failed too: %v", err))
			continue
		}
		note := fmt.Sprintf("using mirror %s: %v", u.Redacted(), failed)
		if name == scheme.OpList { // a walk does not look at the notes of its listings
			tell(note)
		} else {
			res.Notes = append(res.Notes, note)
		}
		return res, nil
	}
	return nil, failed
}

// worthAnotherHost reports whether another server may succeed: err says unreachable or unavailable.
func worthAnotherHost(err error) bool {
	code := CodeOf(err)
	return code == scheme.CodeUnreachable || code == scheme.CodeUnavailable
}

// mirrorHop returns the hop from r.URL to one of its mirrors.
func mirrorHop(r scheme.Request) *scheme.Hop {
	hop := scheme.Hop{}
	if r.From != nil {
		hop = *r.From
		hop.Foreign = hop.Foreign || hop.Kind != scheme.HopDirect && !sameServer(hop.From, r.URL)
	}
	hop.Kind, hop.From = scheme.HopReferral, r.URL
	hop.N++
	return &hop
}
