package http

import (
	"context"
	"io"
	nethttp "net/http"
	"strings"

	"golang.org/x/net/http/httpguts"

	"locator/scheme"
	"locator/wire"
)

// RoundTrip sends req to the server of r.URL and returns its response, whatever its status, with
// all header fields and trailers, as the Transport of net/http does. With it an http.Client over
// the Transport of package client accesses http and https. Of r it takes the URL, and of r.Header
// the fields that req does not have. It follows no redirects; bytes that are invalid in the
// Location of one are escaped. If the server requires a login, the request is sent again with one,
// if one is known and the body can be read again; otherwise the caller gets the response of the
// server.
//
// RoundTrip closes the body of req, also if it fails.
func (s Scheme) RoundTrip(ctx context.Context, env *scheme.Env, r scheme.Request, req *nethttp.Request) (*nethttp.Response, error) {
	a, err := s.roundTrip(ctx, env, r, req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	resp := a.Response
	if at := resp.Header.Get("Location"); at != "" && a.redirects() {
		if valid := escapeInvalid(at); valid != at { // so that the caller can follow it
			resp.Header.Set("Location", valid)
		}
	}
	if resp.Body == nethttp.NoBody {
		a.finish()
		return resp, nil
	}
	inner := *resp
	a.Response = &inner // with the body of net/http, which sets the trailers of resp
	resp.Body = &body{a: a}
	if w, ok := inner.Body.(io.Writer); ok { // after 101 Switching Protocols
		resp.Body = struct {
			io.ReadCloser
			io.Writer
		}{resp.Body, w}
	}
	return resp, nil
}

func (s Scheme) roundTrip(ctx context.Context, env *scheme.Env, r scheme.Request, req *nethttp.Request) (*response, error) {
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
	u, err := s.target(r.URL, 0, at, via)
	if err != nil {
		return nil, err
	}
	if req.Method != "" && strings.ContainsFunc(req.Method, func(c rune) bool { return !httpguts.IsTokenRune(c) }) {
		return nil, scheme.Fail(scheme.CodeUsage, "invalid method \"%s\"", wire.Escape(req.Method))
	}
	own := req.WithContext(ctx)
	own.URL, own.Response = u, nil
	if own.Host == "" || via != nil && s.name == "http" { // a proxy would connect to that host instead, which the policy has not checked
		own.Host = at.authority
	}
	if own.Header, err = s.header(env, r.Header, req.Header, via); err != nil {
		return nil, err
	}
	x := &session{s: s, env: env, r: r, at: at, via: via, req: own, own: true}
	for {
		a, err := x.send(ctx)
		if err != nil || a.StatusCode != nethttp.StatusUnauthorized {
			return a, err
		}
		if x.req.Body != nil && x.req.Body != nethttp.NoBody && x.req.GetBody == nil {
			return a, nil
		}
		err = x.login(ctx, a)
		if e, ok := err.(*scheme.Error); ok && e.Code == scheme.CodeLoginNeeded {
			return a, nil
		}
		if err != nil {
			a.discard()
			return nil, err
		}
		a.discard()
		if !x.rewind() {
			return nil, scheme.Fail(scheme.CodeLocal, "cannot read the body again")
		}
	}
}

// header returns the header of a request of the caller: given, and the fields in lines that it does
// not have.
func (s Scheme) header(env *scheme.Env, lines []string, given nethttp.Header, via *proxy) (nethttp.Header, error) {
	h := given.Clone()
	if h == nil {
		h = make(nethttp.Header)
	}
	if len(lines) > 0 {
		more := &nethttp.Request{Header: make(nethttp.Header)}
		if err := addFields(more, lines); err != nil {
			return nil, err
		}
		for name, values := range more.Header {
			if _, has := h[name]; !has {
				h[name] = values
			}
		}
	}
	if _, has := h["User-Agent"]; !has {
		h["User-Agent"] = []string{scheme.Setting[Settings](env).UserAgent} // an empty one is not sent
	}
	if via != nil && via.login != "" && s.name == "http" {
		h.Set("Proxy-Authorization", via.login)
	}
	return h, checkFields(h)
}

// rewind prepares the body of the request to be sent again. It returns false if that is not
// possible.
func (x *session) rewind() bool {
	if x.req.Body == nil || x.req.Body == nethttp.NoBody {
		return true
	}
	if x.req.GetBody == nil {
		return false
	}
	again, err := x.req.GetBody()
	if err != nil {
		return false
	}
	x.req.Body.Close()
	x.req.Body = again
	return true
}

// safe reports whether a request with that method changes nothing on the server (RFC 9110 9.2.1).
func safe(method string) bool {
	switch method {
	case "", nethttp.MethodGet, nethttp.MethodHead, nethttp.MethodOptions, nethttp.MethodTrace:
		return true
	}
	return false
}
