package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// Transport makes the client an http.RoundTripper: a plain http.Client can then GET, HEAD, PUT and POST the URLs of
// every registered scheme. The http.Client follows redirects itself; each one is judged by policy as [Client.Access] judges
// it, with the hops that led to it. What an HTTP response cannot be (a session, a draft, a form) is an error, and so is
// what policy refuses.
func (c *Client) Transport() http.RoundTripper { return &transport{c} }

type transport struct{ c *Client }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	r, err := t.request(req)
	if err != nil {
		return nil, err
	}
	switch req.Method {
	case "", http.MethodGet:
		return t.get(req, r)
	case http.MethodHead:
		return t.head(req, r)
	case http.MethodPut, http.MethodPost:
		return t.send(req, r)
	}
	return nil, scheme.Fail(scheme.CodeUnsupported, "method %q: only GET, HEAD, PUT and POST exist here", req.Method)
}

// request reads the URL of an http.Request, the hops that led to it, and its header.
func (t *transport) request(req *http.Request) (scheme.Request, error) {
	u, err := t.c.Parse(req.URL.String())
	if err != nil {
		return scheme.Request{}, err
	}
	r := scheme.Request{URL: u.WithoutFragment(), Header: headerLines(req.Header)}
	r.From, err = t.hop(req)
	return r, err
}

// hopKey is the key of the hop in the context of a response's request.
type hopKey struct{}

// hop is the redirect that led to a request, as the http.Client tells it (http.Request.Response); nil where there was none.
// Responses of this transport carry the hop that leads on from them. Of any other response nothing is known, so that it
// counts as public and foreign.
func (t *transport) hop(req *http.Request) (*scheme.Hop, error) {
	if req.Response == nil {
		return nil, nil
	}
	n := 0
	for resp := req.Response; resp != nil && resp.Request != nil; resp = resp.Request.Response {
		n++
	}
	hop := scheme.Hop{Kind: scheme.HopRedirect, FromPublic: true, Foreign: true}
	if last := req.Response.Request; last != nil {
		if told, ok := last.Context().Value(hopKey{}).(scheme.Hop); ok {
			hop = told
		} else if from, err := t.c.Parse(last.URL.String()); err == nil {
			hop.From = from
		}
	}
	hop.N = n
	if max := t.c.opt.Limits.Hops; n > max {
		return nil, &scheme.Error{Op: scheme.OpAccess, URL: locator.Redact(req.URL.String()), Code: scheme.CodeProtocol,
			Err: scheme.Fail(scheme.CodeProtocol, "more than %d redirects or referrals: a loop, or a chain too long", max).Err}
	}
	return &hop, nil
}

// accessOptions reads the wishes in a header. A field that is not understood is ignored, as HTTP wants it, but for a time.
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

// parseRange reads "bytes=a-" and "bytes=a-b". Other forms are ignored, as HTTP allows.
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

// once runs one step; no redirect is followed. The request of the response will carry the hop that leads on.
func (t *transport) once(req *http.Request, name scheme.Op, r scheme.Request, do task) (*scheme.Resource, *http.Request, error) {
	op, s, err := t.c.begin(name, r, hopsOf(r))
	if err != nil {
		return nil, req, err
	}
	res, err := do(req.Context(), op, s)
	from := req.WithContext(context.WithValue(req.Context(), hopKey{}, op.onward(scheme.HopRedirect, false)))
	if err != nil {
		return nil, from, op.wrap(req.Context(), err)
	}
	return op.finish(req.Context(), res), from, nil
}

// headerLines passes on what the schemes do not take from the Request.
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
	res, from, err := t.once(req, scheme.OpAccess, r, access(o))
	if err != nil {
		return t.failed(from, err)
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
	return nil, scheme.Fail(scheme.CodeUnsupported, "it is a %s: no HTTP response can stand for it", res.Kind)
}

// referral is a redirect to the best target.
func referral(req *http.Request, res *scheme.Resource) (*http.Response, error) {
	defer res.Close()
	if len(res.Next) == 0 {
		return nil, scheme.Fail(scheme.CodeProtocol, "a referral that leads nowhere")
	}
	status := http.StatusFound
	if res.Permanent {
		status = http.StatusMovedPermanently
	}
	resp := response(req, status, nil)
	resp.Header.Set("Location", res.Next[0].URL.Text())
	return resp, nil
}

func (t *transport) head(req *http.Request, r scheme.Request) (*http.Response, error) {
	res, from, err := t.once(req, scheme.OpAttributes, r, attributes(scheme.AttributesOptions{Accept: accept(req.Header)}))
	if err != nil {
		return t.failed(from, err)
	}
	if res.Kind == scheme.KindReferral {
		return referral(from, res)
	}
	resp := response(from, http.StatusOK, nil)
	describe(resp, res.Attr)
	return resp, res.Close()
}

func (t *transport) send(req *http.Request, r scheme.Request) (*http.Response, error) {
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
	res, from, err := t.once(req, name, r, do)
	if err != nil {
		return t.failed(from, err)
	}
	switch {
	case res.Kind == scheme.KindObject && res.Body != nil:
		return object(from, res), nil
	case res.Kind == scheme.KindReferral:
		return referral(from, res)
	}
	return response(from, http.StatusOK, nil), res.Close()
}

// failed makes a response of what a peer says no to; all else stays an error.
func (t *transport) failed(req *http.Request, err error) (*http.Response, error) {
	switch code := CodeOf(err); code {
	case scheme.CodeLoginNeeded, scheme.CodeNotFound, scheme.CodeGone, scheme.CodeUnavailable:
		text := err.Error() + "\n"
		resp := response(req, code.HTTP(), io.NopCloser(strings.NewReader(text)))
		resp.ContentLength = int64(len(text))
		resp.Header.Set("Content-Type", "text/plain; charset=utf-8")
		return resp, nil
	}
	return nil, err
}

func response(req *http.Request, status int, body io.ReadCloser) *http.Response {
	resp := &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header), Body: body, ContentLength: -1, Request: req,
	}
	if body == nil {
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	return resp
}

func describe(resp *http.Response, a scheme.Attr) {
	if n, ok := a.Size.Get(); ok {
		resp.ContentLength = n
		resp.Header.Set("Content-Length", strconv.FormatInt(n, 10))
	}
	if a.Type != "" {
		resp.Header.Set("Content-Type", a.Type)
	}
	if a.ETag != "" {
		resp.Header.Set("ETag", a.ETag)
	}
	if !a.Modified.IsZero() {
		resp.Header.Set("Last-Modified", a.Modified.UTC().Format(http.TimeFormat))
	}
}

func object(req *http.Request, res *scheme.Resource) *http.Response {
	if res.NotModified {
		return response(req, http.StatusNotModified, nil)
	}
	resp := response(req, http.StatusOK, res.Body)
	describe(resp, res.Attr)
	if size, ok := res.Attr.Size.Get(); ok && !res.Range.IsZero() {
		resp.StatusCode, resp.Status = http.StatusPartialContent, "206 Partial Content"
		resp.ContentLength = size - res.Range.Offset
		if n := res.Range.Length; n > 0 {
			resp.ContentLength = min(resp.ContentLength, n)
		}
		resp.Header.Set("Content-Length", strconv.FormatInt(resp.ContentLength, 10))
		resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", res.Range.Offset, res.Range.Offset+resp.ContentLength-1, size))
	}
	return resp
}

// listing gives the entries as URLs, a line each (text/uri-list, RFC 2483): no HTML is made here.
func listing(req *http.Request, res *scheme.Resource) (*http.Response, error) {
	defer res.Close()
	var b bytes.Buffer
	for e, err := range res.Entries {
		if err != nil {
			return nil, err
		}
		if !e.URL.IsZero() {
			b.WriteString(e.URL.Text() + "\r\n")
		}
	}
	resp := response(req, http.StatusOK, io.NopCloser(&b))
	resp.ContentLength = int64(b.Len())
	resp.Header.Set("Content-Type", "text/uri-list; charset=us-ascii")
	return resp, nil
}
