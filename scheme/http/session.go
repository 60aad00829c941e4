package http

import (
	"context"
	nethttp "net/http"

	"locator/scheme"
)

// session is one request and the state needed to send it, more than once if a login is required.
type session struct {
	s   Scheme
	env *scheme.Env
	r   scheme.Request
	o   scheme.AccessOptions
	at  place
	via *proxy // nil means none
	req *nethttp.Request
	up  *upload // nil without a body
	own bool    // the request is the caller's: req has its body, and its response is returned as it is

	tried loginState
}

// do sends the request for r and returns the response, whatever its status. If the server requires
// a login, do sends the request again with one.
func (s Scheme) do(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions, method string, up *upload) (*response, error) {
	if o.Range.Offset < 0 || o.Range.Length < 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "a range cannot be negative")
	}
	at, err := s.newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	via, err := proxyOf(env.Proxy)
	if err != nil {
		return nil, err
	}
	if via != nil {
		at = at.forProxy()
	}
	req, err := s.newRequest(env, r, o, at, via, method)
	if err != nil {
		return nil, err
	}
	x := &session{s: s, env: env, r: r, o: o, at: at, via: via, req: req, up: up}
	if err := x.preauthorize(ctx); err != nil {
		return nil, err
	}
	if up != nil {
		up.attach(req)
	}
	for {
		a, err := x.send(ctx)
		if err != nil || a.StatusCode != nethttp.StatusUnauthorized {
			return a, err
		}
		if err := x.login(ctx, a); err != nil {
			a.discard()
			return nil, err
		}
		a.discard()
		if up != nil && !up.rewind(ctx, req) {
			return nil, scheme.Replied(scheme.CodeLoginNeeded, a.statusLine(),
				"login required, and the body cannot be sent twice; send it from a file")
		}
	}
}
