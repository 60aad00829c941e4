package file

import (
	"context"

	"locator/scheme"
)

// Attributes returns the attributes of a file or folder. It does not open it.
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := locate(ctx, env, r)
	if err != nil {
		return nil, err
	}
	info, err := p.tree.stat(p.name)
	if err != nil {
		return nil, p.fail(err)
	}
	kind := scheme.KindObject
	if info.IsDir() {
		kind = scheme.KindListing
	}
	return &scheme.Resource{URL: r.URL, Kind: kind, Attr: p.attr(info)}, nil
}
