package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

var _ scheme.Remover = Scheme{}

// Remove removes a resource (DELETE, RFC 9110 9.3.5). It returns nil if the server has removed it or has accepted the request
// (202), and an error of code CodeUnsupported for a redirect. The request uses a new connection, and is sent again only if
// the server requires a login.
//
// The server decides what is removed with the resource. A WebDAV server removes a collection, whose URL ends in a slash,
// with everything in it (RFC 4918 9.6.1).
func (s Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	a, err := s.do(ctx, env, r, scheme.AccessOptions{}, nethttp.MethodDelete, newUpload(scheme.Body{Size: scheme.Known(0)}))
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
