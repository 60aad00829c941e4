package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

// send sends b with PUT or POST.
func (s Scheme) send(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.WriteOptions, method string, b scheme.Body) (*scheme.Resource, error) {
	up, err := newUpload(ctx, b)
	if err != nil {
		return nil, err
	}
	defer up.stop(ctx)
	a, err := s.do(ctx, env, r, scheme.AccessOptions{Accept: o.Accept}, method, up)
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: nethttp.NoBody, Status: a.code()}
	switch {
	case a.StatusCode == nethttp.StatusSeeOther:
		// The body was processed; the result is at another URL (RFC 9110 15.4.4).
		defer a.discard()
		next, err := a.referral()
		if err != nil {
			return nil, err
		}
		res.URL = next.Next[0].URL
	case a.redirects():
		defer a.discard()
		return a.referral()
	case a.StatusCode/100 != 2:
		return nil, a.statusError()
	case method == nethttp.MethodPost:
		if a.StatusCode == nethttp.StatusCreated {
			if next, err := a.location(); err == nil {
				res.URL = next
			}
		}
		res.Attr, res.Body = a.attr(), &body{a: a}
	default:
		defer a.discard()
		res.Attr.ETag = a.Header.Get("ETag")
		res.Attr.More = a.fields
	}
	if a.StatusCode == nethttp.StatusAccepted {
		res.Notes = append(res.Notes, "the server accepted the body and will process it later")
	}
	if err := up.wait(ctx, method == nethttp.MethodPut); err != nil {
		a.close()
		return nil, err
	}
	return res, nil
}

// Remove removes a resource (DELETE, RFC 9110 9.3.5). It returns nil if the server has removed it
// or has accepted the request (202), and an error of code CodeUnsupported for a redirect. The
// request is sent again only if the server requires a login, or if nothing was sent on a connection
// that the server had closed.
//
// The server decides what is removed with the resource. A WebDAV server removes a collection, whose
// URL ends in a slash, with everything in it (RFC 4918 9.6.1).
func (s Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	up, err := newUpload(ctx, scheme.Body{Size: scheme.Known(0)})
	if err != nil {
		return err
	}
	a, err := s.do(ctx, env, r, scheme.AccessOptions{}, nethttp.MethodDelete, up)
	if err != nil {
		return err
	}
	switch {
	case a.StatusCode == nethttp.StatusSeeOther: // removed; the other URL describes the result (RFC 9110 15.4.4)
	case a.redirects():
		defer a.discard()
		to, err := a.location()
		if err != nil {
			return err
		}
		return scheme.Replied(scheme.CodeUnsupported, a.statusLine(), "the server redirects to %s; to remove that resource, use its URL", to.Redacted())
	case a.StatusCode/100 != 2:
		return a.statusError()
	}
	defer a.discard()
	if a.StatusCode == nethttp.StatusAccepted {
		env.Tell("the server accepted the request and will remove the resource later")
	}
	return nil
}
