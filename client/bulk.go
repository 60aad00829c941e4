package client

import (
	"context"
	"iter"

	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// AccessAll reads the objects of the listing at r.URL one after the other, with fewer round trips than an Access of each takes. It
// follows the redirects and referrals that the policy allows. Nothing is sent before the sequence is ranged over; its resources are
// released when the loop ends. An error ends the sequence.
//
// The Body of a resource must be read before the next resource is requested; what is not read is dropped. Limits.Body applies to
// each. A Body that fails with CodeNotFound is that of an object that the server lists and cannot send now; the sequence goes on. To go
// on after an error, call AccessAll again with BulkOptions.Have.
func (c *Client) AccessAll(ctx context.Context, r scheme.Request, o *bulk.Options) iter.Seq2[*scheme.Resource, error] {
	return func(yield func(*scheme.Resource, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		o, stopped := deref(o), false
		_, err := c.follow(ctx, scheme.OpAccessAll, r, needing(func(ctx context.Context, op *operation, s bulk.Accesser) (*scheme.Resource, error) {
			if err := checkFilter(s, o.Filter); err != nil {
				return nil, err
			}
			res, err := s.AccessAll(ctx, op.env(), op.r, o)
			if err != nil || res.Kind == scheme.KindReferral {
				return res, err
			}
			defer res.Close()
			if o.Began != nil {
				o.Began(op.finish(ctx, &scheme.Resource{URL: res.URL, Kind: res.Kind, Attr: res.Attr, Status: res.Status, Notes: res.Notes, Count: res.Count}))
			}
			for m, err := range res.Members {
				if err != nil {
					return nil, err
				}
				if stopped = !yield(op.finish(ctx, m), nil); stopped {
					break
				}
			}
			return &scheme.Resource{URL: res.URL}, nil
		}))
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// checkFilter returns an error if a scheme cannot apply a filter.
func checkFilter(s any, f message.Filter) error {
	if f.IsZero() {
		return nil
	}
	if able, ok := s.(bulk.Filterer); ok {
		return able.CheckFilter(f)
	}
	return scheme.Fail(scheme.CodeUnsupported, "this scheme cannot select by date or header field")
}
