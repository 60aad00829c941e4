package client

import (
	"context"

	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// AccessAll opens the listing at r.URL to read its objects one after the other, which are its
// Members, with fewer round trips than an Access of each takes. It follows the redirects and
// referrals that the policy allows. The Members can be ranged over once, and end after an error.
// The caller must Close the resource.
//
// The Body of a member must be read before the next one is requested; what is not read is dropped.
// Limits.Body applies to each. A Body that fails with CodeNotFound is that of an object that the
// server lists and cannot send now; the Members go on. To go on after an error, call AccessAll
// again with bulk.Options.Have.
func (c *Client) AccessAll(ctx context.Context, r scheme.Request, o *bulk.Options) (*scheme.Resource, error) {
	x := deref(o)
	return c.follow(ctx, scheme.OpAccessAll, r, needing(func(ctx context.Context, op *operation, s bulk.Accesser) (*scheme.Resource, error) {
		if err := checkFilter(s, x.Filter); err != nil {
			return nil, err
		}
		return s.AccessAll(ctx, op.env(), op.r, x)
	}))
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
