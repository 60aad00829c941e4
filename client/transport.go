package client

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator/scheme"
	"locator/scheme/bulk"
)

// Transport returns an http.RoundTripper for the URLs of every registered scheme.
//
// For http and https an http.Client over it gets what it gets over the Transport of net/http: any
// method, req.Host, the status, all header fields, the body (also that of an error), trailers,
// resp.TLS, interim responses, and the events of httptrace. Four things differ. The User-Agent is
// that of the settings of package http if the request has none; it is empty by default, and then
// none is sent. If the server requires a login that the client knows, the request is sent again
// with it. Bytes that are invalid in the Location of a redirect are escaped. Response.Request is a
// copy of the request. For other schemes, the response is made from a [scheme.Resource]:
//
//	GET, HEAD, PUT, POST     Access, Attributes, Replace, Update; any other method is an error
//	an object                200, or 206 for a part, with Content-Length, Content-Type, ETag, Last-Modified and Content-Range as far as known
//	not modified             304
//	a listing                200, with the URLs of the entries (text/uri-list)
//	a referral               301, 302, 307 or 308, with a Location
//	login needed or refused  401, with the text of the error, as for the next two
//	not found, gone          404
//	unavailable now          503
//	anything else            an error
//
// The http.Client follows redirects itself; the policy checks each one with the hops that led to
// it, as in [Client.Access]. After a redirect to another server, only request header fields that
// say nothing about the user are sent, as for [Options.Header], also on the way back; so the
// cookies of a Jar are sent only to the server that the user named. The limits of the client apply
// to each response, and Limits.Time to the whole chain. An error is a *scheme.Error; its Timeout
// method reports a timeout.
func (c *Client) Transport() http.RoundTripper { return &transport{c} }

type transport struct{ c *Client }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r, err := t.request(req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	if s, _ := t.c.opt.Registry.Lookup(r.URL.Scheme()); t.answers(s, r) {
		return t.exchange(req, r)
	}
	if req.Body != nil {
		defer req.Body.Close()
	}
	r.Header = headerLines(req.Header)
	switch req.Method {
	case "", http.MethodGet:
		return t.get(req, r)
	case http.MethodHead:
		return t.head(req, r)
	case http.MethodPut, http.MethodPost:
		return t.send(req, r)
	}
	return nil, scheme.Fail(scheme.CodeUnsupported, "method %q is not supported; use GET, HEAD, PUT or POST", req.Method)
}

// responder is the ability of a scheme that answers an http.Request itself. It closes the body of
// req, also if it fails. The header lines of r apply where req does not have the field.
type responder interface {
	RoundTrip(ctx context.Context, env *scheme.Env, r scheme.Request, req *http.Request) (*http.Response, error)
}

// answers reports whether s answers an http.Request for the URL of r itself. A gateway does not.
func (t *transport) answers(s scheme.Scheme, r scheme.Request) bool {
	_, able := s.(responder)
	_, gateway := t.c.opt.Via[r.URL.Scheme()]
	return able && !gateway
}

// exchange sends a request with a scheme that answers it itself. Nothing of the response is changed
// but the limits of its body.
func (t *transport) exchange(req *http.Request, r scheme.Request) (*http.Response, error) {
	var resp *http.Response
	asked := false // then the body of req is the scheme's
	res, from, err := t.roundTripOnce(req, operationOf(req.Method), r, func(ctx context.Context, op *operation, s scheme.Scheme) (*scheme.Resource, error) {
		able, ok := s.(responder)
		if !ok {
			return nil, scheme.Fail(scheme.CodeUnsupported, "not possible through the configured proxy")
		}
		own := *req
		if op.foreign() {
			own.Host, own.Header = "", make(http.Header)
			for name, values := range req.Header {
				if slices.Contains(foreignFields, strings.ToLower(name)) {
					own.Header[name] = values
				}
			}
		}
		op.secret.addFields(own.Header)
		asked = true
		var err error
		if resp, err = able.RoundTrip(ctx, op.env(), op.r, &own); err != nil {
			return nil, err
		}
		res := &scheme.Resource{Kind: scheme.KindObject}
		if resp.Body != http.NoBody {
			res.Body = resp.Body
		}
		return res, nil
	})
	if err != nil {
		if !asked && req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	if res.Body != nil {
		if w, ok := resp.Body.(io.Writer); ok { // after 101 Switching Protocols
			res.Body = struct {
				io.ReadCloser
				io.Writer
			}{res.Body, w}
		}
		resp.Body = res.Body
	}
	resp.Request = from
	return resp, nil
}

// operationOf returns the operation of a method, for errors.
func operationOf(method string) scheme.Op {
	switch method {
	case "", http.MethodGet:
		return scheme.OpAccess
	case http.MethodHead:
		return scheme.OpAttributes
	case http.MethodPut:
		return scheme.OpReplace
	case http.MethodPost, http.MethodPatch:
		return scheme.OpUpdate
	case http.MethodDelete:
		return scheme.OpRemove
	}
	return scheme.OpDo
}

// request converts an http.Request to a scheme.Request.
func (t *transport) request(req *http.Request) (scheme.Request, error) {
	u, err := t.c.Parse(req.URL.String())
	if err != nil {
		return scheme.Request{}, err
	}
	return scheme.Request{URL: u.WithoutFragment(), From: t.hop(req)}, nil
}

// onwardKey is the context key of an onward value. It is set in the context of Response.Request.
type onwardKey struct{}

// onward is what the request that follows a redirect needs to know.
type onward struct {
	hop      scheme.Hop
	deadline time.Time // of the whole chain; zero is none
}

// onwardFrom returns what the response that led to req says.
func onwardFrom(req *http.Request) (o onward, ok bool) {
	if req.Response == nil || req.Response.Request == nil {
		return o, false
	}
	o, ok = req.Response.Request.Context().Value(onwardKey{}).(onward)
	return o, ok
}

// hop returns the redirect that led to a request (http.Request.Response), or nil. Responses of this
// transport carry the hop that leads on from them. A redirect by any other response counts as one
// from a public and foreign server.
func (t *transport) hop(req *http.Request) *scheme.Hop {
	if req.Response == nil {
		return nil
	}
	n := 0
	for resp := req.Response; resp != nil && resp.Request != nil; resp = resp.Request.Response {
		n++
	}
	hop := scheme.Hop{Kind: scheme.HopRedirect, FromPublic: true, Foreign: true}
	if o, ok := onwardFrom(req); ok {
		hop = o.hop
	} else if last := req.Response.Request; last != nil {
		if from, err := t.c.opt.Syntax.Parse(last.URL.String()); err == nil {
			hop.From = from
		}
	}
	hop.N = n
	return &hop
}

// accessOptions converts request header fields to options. Invalid fields are ignored, as HTTP
// requires, except an invalid If-Modified-Since, which is an error.
func accessOptions(h http.Header) (o scheme.AccessOptions, err error) {
	if s := h.Get("If-Modified-Since"); s != "" {
		if o.If.ModifiedSince, err = http.ParseTime(s); err != nil {
			return o, scheme.Fail(scheme.CodeUsage, "If-Modified-Since: %w", err)
		}
	}
	o.If.NoneMatch = h.Get("If-None-Match")
	o.Range = parseRange(h.Get("Range"))
	o.Accept = accept(h)
	return o, nil
}

func accept(h http.Header) scheme.Accept {
	return scheme.Accept{Types: h.Values("Accept"), Languages: h.Values("Accept-Language")}
}

// parseRange parses "bytes=a-" and "bytes=a-b". It returns the zero Range for other forms, which
// HTTP allows to ignore.
func parseRange(s string) scheme.Range {
	spec, ok := strings.CutPrefix(s, "bytes=")
	if !ok || strings.Contains(spec, ",") {
		return scheme.Range{}
	}
	from, to, ok := strings.Cut(spec, "-")
	a, err := strconv.ParseInt(from, 10, 64)
	if !ok || err != nil || a < 0 {
		return scheme.Range{}
	}
	if to == "" {
		return scheme.Range{Offset: a}
	}
	b, err := strconv.ParseInt(to, 10, 64)
	if err != nil || b < a {
		return scheme.Range{}
	}
	return scheme.Range{Offset: a, Length: b - a + 1}
}

// roundTripOnce runs one operation without following redirects. The returned request carries the
// hop that leads on from its response.
func (t *transport) roundTripOnce(req *http.Request, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, *http.Request, error) {
	from := req
	last, _ := onwardFrom(req)
	res, err := t.c.within(req.Context(), r, last.deadline, func(ctx context.Context) (*scheme.Resource, error) {
		op, s, err := t.c.begin(name, r, initialHops(r))
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil { // the chain took too long
			return nil, op.wrap(ctx, err)
		}
		res, err := op.run(ctx, s, do)
		deadline, _ := ctx.Deadline()
		from = req.WithContext(context.WithValue(req.Context(), onwardKey{}, onward{op.nextHop(scheme.HopRedirect, false), deadline}))
		if err != nil {
			return nil, op.wrap(ctx, err)
		}
		return op.finish(ctx, res), nil
	})
	return res, from, err
}

// headerLines returns the header lines that accessOptions does not handle.
func headerLines(h http.Header) []string {
	lines := []string{}
	for name, values := range h {
		switch name {
		case "If-Modified-Since", "If-None-Match", "Range", "Accept", "Accept-Language":
			continue
		}
		for _, v := range values {
			lines = append(lines, name+": "+v)
		}
	}
	slices.Sort(lines)
	return lines
}

func (t *transport) get(req *http.Request, r scheme.Request) (*http.Response, error) {
	o, err := accessOptions(req.Header)
	if err != nil {
		return nil, err
	}
	res, from, err := t.roundTripOnce(req, scheme.OpAccess, r, access(o))
	if err != nil {
		return t.errorResponse(from, err)
	}
	switch res.Kind {
	case scheme.KindObject:
		return object(from, res), nil
	case scheme.KindListing:
		return listing(from, res)
	case scheme.KindReferral:
		return referral(from, res)
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeUnsupported, "a %s cannot be returned as an HTTP response", res.Kind)
}

func (t *transport) head(req *http.Request, r scheme.Request) (*http.Response, error) {
	res, from, err := t.roundTripOnce(req, scheme.OpAttributes, r, attributes(scheme.AttributesOptions{Accept: accept(req.Header)}))
	if err != nil {
		return t.errorResponse(from, err)
	}
	if res.Kind == scheme.KindReferral {
		return referral(from, res)
	}
	resp := response(from, http.StatusOK, nil)
	describe(resp, res.Attr)
	return resp, res.Close()
}

// send sends a body. A redirect never makes it a message: the server would choose where the user's
// name appears.
func (t *transport) send(req *http.Request, r scheme.Request) (*http.Response, error) {
	if s, _ := t.c.opt.Registry.Lookup(r.URL.Scheme()); r.From != nil && isPoster(s) {
		return nil, scheme.Fail(scheme.CodeRefused, "a redirect led to %s, where the body would be sent as a message; it was not sent", r.URL.Redacted())
	}
	b := scheme.Body{Reader: req.Body, Type: req.Header.Get("Content-Type")}
	switch {
	case req.Body == nil:
		b.Reader, b.Size = http.NoBody, scheme.Known(0)
	case req.ContentLength >= 0 && (req.ContentLength > 0 || req.Body == http.NoBody):
		b.Size = scheme.Known(req.ContentLength)
	}
	name, do := scheme.OpUpdate, update(b, scheme.WriteOptions{Accept: accept(req.Header)})
	if req.Method == http.MethodPut {
		name, do = scheme.OpReplace, replace(b, scheme.WriteOptions{Accept: accept(req.Header)})
	}
	res, from, err := t.roundTripOnce(req, name, r, do)
	if err != nil {
		return t.errorResponse(from, err)
	}
	switch {
	case res.Kind == scheme.KindObject && res.Body != nil:
		return object(from, res), nil
	case res.Kind == scheme.KindReferral:
		return referral(from, res)
	}
	return response(from, http.StatusOK, nil), res.Close()
}

func isPoster(s scheme.Scheme) bool { _, ok := s.(bulk.Poster); return ok }
