package mailto

import (
	"context"

	"locator/scheme"
)

// Check checks the syntax of the addresses and, if o.Verify is set, asks the domain name system for
// their mail exchangers. It asks no mail server.
func (s Scheme) Check(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.CheckOptions) (*scheme.Resource, error) {
	if o.Verify {
		return s.Attributes(ctx, env, r, scheme.AttributesOptions{})
	}
	d, err := newDraft(r.URL)
	if err != nil {
		return nil, err
	}
	if _, err := recipients(d); err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: d, Notes: d.Notes}, nil
}
