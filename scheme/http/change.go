package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

var _ scheme.Remover = Scheme{}

// Remove removes the association of the URL with its resource (DELETE, RFC 9110 9.3.5). It succeeds where the server says that
// it has done so, or will (202), and returns CodeUnsupported for a redirect. The request has a connection of its own, and is
// sent again only after a login that the server asked for.
//
// What goes with the resource is for the server to say. A WebDAV server removes a collection, whose URL ends in a slash,
// with everything in it (RFC 4918 9.6.1).
func (s Scheme) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	a, err := s.do(ctx, env, r, scheme.AccessOptions{}, nethttp.MethodDelete, newUpload(scheme.Body{Size: scheme.Known(0)}))
	if err != nil {
		return err
	}
	switch {
	case a.StatusCode == nethttp.StatusSeeOther: // it was done, and the other URL tells of it (RFC 9110 15.4.4)
	case a.redirects():
		defer a.discard()
		to, err := a.location()
		if err != nil {
			return err
		}
		return scheme.Replied(scheme.CodeUnsupported, a.statusLine(), "the server redirects to %s: use that URL if it is what you want to remove", to.Redacted())
	case a.StatusCode/100 != 2:
		return a.statusError()
	}
	defer a.discard()
	if a.StatusCode == nethttp.StatusAccepted {
		env.Tell("the server accepted the request and will remove the resource later")
	}
	return nil
}
