package client

import (
	"context"
	"iter"
	"strings"

	"locator"
	"locator/scheme"
)

// Access reads what r.URL locates, and follows referrals by policy. The context governs the whole life of the
// resource, which the caller closes.
func (c *Client) Access(ctx context.Context, r scheme.Request) (*scheme.Resource, error) {
	return c.anywhere(ctx, "access", r, func(op *operation, s scheme.Scheme, r scheme.Request) (*scheme.Resource, error) {
		return s.Access(ctx, op.env(), r)
	})
}

// List lists what r.URL holds, and follows referrals by policy. A scheme that has no listing of its own is accessed, and
// what comes back is listed if it is a Listing.
func (c *Client) List(ctx context.Context, r scheme.Request) iter.Seq2[scheme.Entry, error] {
	return c.list(ctx, r, func(*operation) {})
}

// list is List; at is told the step that gives the entries before the first of them.
func (c *Client) list(ctx context.Context, r scheme.Request, at func(op *operation)) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx) // a break frees what the listing holds
		defer cancel()
		given, left := false, false
		_, err := c.anywhere(ctx, "list", r, func(op *operation, s scheme.Scheme, r scheme.Request) (*scheme.Resource, error) {
			here := &scheme.Resource{URL: r.URL}
			at(op)
			if given { // another place of a listing that broke off: its entries would come twice
				return nil, scheme.Fail(scheme.CodeBroken, "a listing that broke off is not begun again")
			}
			entries, res, err := op.entries(ctx, s, r)
			if err != nil || res != nil && res.Kind == scheme.KindReferral {
				return res, err
			}
			if res != nil {
				defer res.Close()
			}
			for e, err := range entries {
				if next, ok := referral(err); ok {
					return next, nil
				}
				if err != nil {
					return nil, err
				}
				given = true
				if left = !yield(e, nil); left {
					break
				}
			}
			return here, nil
		})
		if err != nil && !left {
			yield(scheme.Entry{}, err)
		}
	}
}

// entries gives the listing of r.URL, and the resource that it belongs to, if there is one, or that leads elsewhere.
func (op *operation) entries(ctx context.Context, s scheme.Scheme, r scheme.Request) (iter.Seq2[scheme.Entry, error], *scheme.Resource, error) {
	if l, ok := s.(scheme.Lister); ok {
		return l.List(ctx, op.env(), r), nil, nil
	}
	res, err := s.Access(ctx, op.env(), r)
	switch {
	case err != nil:
		return nil, nil, err
	case res.Kind == scheme.KindReferral:
		return nil, res, nil
	case res.Kind == scheme.KindListing:
		return res.Entries, res, nil
	}
	res.Close()
	return nil, nil, scheme.Fail(scheme.CodeUnsupported, "it is a %s: nothing to list", res.Kind)
}

// Attributes finds the attributes of r.URL.
func (c *Client) Attributes(ctx context.Context, r scheme.Request) (scheme.Attr, error) {
	attr, _, err := c.attributes(ctx, r)
	return attr, err
}

// attributes is Attributes; at is where they were found, after redirects.
func (c *Client) attributes(ctx context.Context, r scheme.Request) (attr scheme.Attr, at locator.URL, err error) {
	res, err := c.anywhere(ctx, "attributes", r, func(op *operation, s scheme.Scheme, r scheme.Request) (*scheme.Resource, error) {
		a, ok := s.(scheme.Attributer)
		if !ok {
			return nil, unsupported(s, "find attributes")
		}
		var err error
		attr, err = a.Attributes(ctx, op.env(), r)
		if next, ok := referral(err); ok {
			return next, nil
		}
		return &scheme.Resource{URL: r.URL}, err
	})
	if err != nil {
		return attr, r.URL, err
	}
	return attr, res.URL, nil
}

// referral finds a referral that came in the place of attributes or entries.
func referral(err error) (*scheme.Resource, bool) {
	if e, ok := err.(*scheme.ReferralError); ok {
		return e.Resource, true
	}
	return nil, false
}

// Update adds b to what r.URL locates. It follows no referral: the caller decides where a body goes.
func (c *Client) Update(ctx context.Context, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	return c.send(ctx, "update", r, func(op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		u, ok := s.(scheme.Updater)
		if !ok {
			return nil, unsupported(s, "update")
		}
		return u.Update(ctx, op.env(), op.r, b)
	})
}

// Replace puts b in the place of what r.URL locates. It follows no referral.
func (c *Client) Replace(ctx context.Context, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	return c.send(ctx, "replace", r, func(op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		p, ok := s.(scheme.Replacer)
		if !ok {
			return nil, unsupported(s, "replace")
		}
		return p.Replace(ctx, op.env(), op.r, b)
	})
}

func (c *Client) send(ctx context.Context, name string, r scheme.Request, do func(*operation, scheme.Scheme) (*scheme.Resource, error)) (*scheme.Resource, error) {
	op, s, err := c.begin(name, r)
	if err != nil {
		return nil, err
	}
	res, err := do(op, s)
	if err != nil {
		return nil, op.wrap(ctx, err)
	}
	if res.Kind == scheme.KindReferral {
		defer res.Close()
		to := ""
		if len(res.Next) > 0 {
			to = " to " + res.Next[0].URL.Redacted()
		}
		return nil, op.fail(scheme.CodeUnsupported, "the peer sends the body elsewhere%s: name that URL if it is meant", to)
	}
	return op.finish(ctx, res), nil
}

// unsupported says what the scheme can do instead (A15).
func unsupported(s scheme.Scheme, what string) error {
	return scheme.Fail(scheme.CodeUnsupported, "scheme %s cannot %s; it can: %s", s.Syntax().Name, what,
		strings.Join(scheme.Abilities(s), ", "))
}

// follow runs do for r.URL and for where referrals lead.
func (c *Client) follow(ctx context.Context, name string, r scheme.Request, do func(*operation, scheme.Scheme, scheme.Request) (*scheme.Resource, error)) (*scheme.Resource, error) {
	first := r.URL
	if r.From != nil {
		first = r.From.From
	}
	for {
		op, s, err := c.begin(name, r)
		if err != nil {
			return nil, err
		}
		op.first, r = first, op.r
		res, err := do(op, s, r)
		if err != nil {
			return nil, op.wrap(ctx, err)
		}
		if res.Kind != scheme.KindReferral {
			return op.finish(ctx, res), nil
		}
		if len(res.Next) == 0 {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "a referral that leads nowhere")
		}
		hop := scheme.Hop{Kind: res.Hop, From: r.URL, FromPublic: op.isPublic(), Foreign: op.foreign()}
		if r.From != nil {
			hop.N = r.From.N
			hop.FromPublic = hop.FromPublic || r.From.FromPublic
		}
		hop.N++
		if hop.N > c.opt.Limits.Hops {
			res.Close()
			return nil, op.fail(scheme.CodeProtocol, "more than %d redirects or referrals: a loop, or a chain too long", c.opt.Limits.Hops)
		}
		c.opt.Trace.OnNote("referred to " + res.Next[0].URL.Redacted())
		if len(res.Next) > 1 {
			return c.firstThatWorks(ctx, name, r, hop, res, do)
		}
		r = next(r, hop, res.Next[0].URL)
		res.Close()
	}
}

// firstThatWorks tries the targets of a referral in their order.
func (c *Client) firstThatWorks(ctx context.Context, name string, r scheme.Request, hop scheme.Hop, ref *scheme.Resource, do func(*operation, scheme.Scheme, scheme.Request) (*scheme.Resource, error)) (*scheme.Resource, error) {
	defer ref.Close()
	var failed error
	for _, e := range ref.Next {
		res, err := c.follow(ctx, name, next(r, hop, e.URL), do)
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

func next(r scheme.Request, hop scheme.Hop, u locator.URL) scheme.Request {
	r.URL, r.From = u, &hop
	return r
}
