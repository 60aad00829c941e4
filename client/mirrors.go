package client

import (
	"context"
	"fmt"

	"locator"
	"locator/scheme"
)

// anywhere is follow for r.URL and, where that cannot be reached, for its mirrors. What led to the URL led to its
// mirrors, so policy judges them by the same hop. The error is that of the URL.
func (c *Client) anywhere(ctx context.Context, name string, r scheme.Request, do func(*operation, scheme.Scheme, scheme.Request) (*scheme.Resource, error)) (*scheme.Resource, error) {
	mirrors := r.Mirrors
	r.Mirrors = nil
	res, err := c.follow(ctx, name, r, do)
	for _, u := range mirrors {
		if !elsewhere(err) || ctx.Err() != nil {
			break
		}
		first, failed := r.URL, err
		at := r
		at.URL, at.From = u, mirrorHop(r)
		if res, err = c.follow(ctx, name, at, do); err != nil {
			c.note(u, fmt.Sprintf("no help: %v", err))
			err = failed
			continue
		}
		note := fmt.Sprintf("this is the mirror %s, for %v", u.Redacted(), failed)
		if name != "access" { // there is no resource that the caller would see
			c.note(first, note)
		}
		res.Notes = append(res.Notes, note)
	}
	return res, err
}

// elsewhere reports whether another server may help: this one is not there, or cannot now.
func elsewhere(err error) bool {
	code := CodeOf(err)
	return code == scheme.CodeUnreachable || code == scheme.CodeUnavailable
}

// mirrorHop is how a mirror of r.URL was come by.
func mirrorHop(r scheme.Request) *scheme.Hop {
	hop := scheme.Hop{Kind: scheme.HopReferral, From: r.URL}
	if r.From != nil {
		hop = *r.From
		hop.Kind, hop.From = scheme.HopReferral, r.URL
	}
	hop.N++
	return &hop
}

// note tells whoever wants to know.
func (c *Client) note(u locator.URL, text string) {
	c.opt.Trace.OnNote(text)
	if c.opt.Note != nil {
		c.opt.Note(u, text)
	}
}
