package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

// Attributes returns the attributes of the resource (HEAD). If the server does not implement HEAD,
// it sends a GET and does not read the body.
func (s Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	wishes := scheme.AccessOptions{Accept: o.Accept, Type: o.Type}
	a, err := s.do(ctx, env, r, wishes, nethttp.MethodHead, nil)
	if err == nil && (a.StatusCode == nethttp.StatusMethodNotAllowed || a.StatusCode == nethttp.StatusNotImplemented) {
		a.discard()
		a, err = s.do(ctx, env, r, wishes, nethttp.MethodGet, nil)
	}
	if err != nil {
		return nil, err
	}
	if a.redirects() {
		defer a.discard()
		return a.referral()
	}
	if !a.success() {
		return nil, a.statusError()
	}
	defer a.discard()
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code()}, nil
}
