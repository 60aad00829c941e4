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

	"locator/scheme"
)

// Transport makes the client an http.RoundTripper: a plain http.Client can then GET, HEAD, PUT and POST the URLs of
// every registered scheme. Redirects are left to the http.Client. What an HTTP response cannot be (a session, a
// draft, a form) is an error, and so is what policy refuses.
func (c *Client) Transport() http.RoundTripper { return &transport{c} }

type transport struct{ c *Client }

// RoundTrip follows http.RoundTripper.
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

// request reads what an http.Request wishes.
func (t *transport) request(req *http.Request) (scheme.Request, error) {
	u, err := t.c.Parse(req.URL.String())
	if err != nil {
		return scheme.Request{}, err
	}
	r := scheme.Request{URL: u}
	h := req.Header
	if s := h.Get("If-Modified-Since"); s != "" {
		if r.If.ModifiedSince, err = http.ParseTime(s); err != nil {
			return r, scheme.Fail(scheme.CodeUsage, "If-Modified-Since: %w", err)
		}
	}
	r.If.NoneMatch = h.Get("If-None-Match")
	r.Range, err = parseRange(h.Get("Range"))
	r.Accept.Types = h.Values("Accept")
	r.Accept.Languages = h.Values("Accept-Language")
	return r, err
}

// parseRange reads "bytes=a-" and "bytes=a-b". Other forms are ignored, as HTTP allows.
func parseRange(s string) (scheme.Range, error) {
	spec, ok := strings.CutPrefix(s, "bytes=")
	if !ok || strings.Contains(spec, ",") {
		return scheme.Range{}, nil
	}
	from, to, ok := strings.Cut(spec, "-")
	a, err := strconv.ParseInt(from, 10, 64)
	if !ok || err != nil || a < 0 {
		return scheme.Range{}, nil
	}
	if to == "" {
		return scheme.Range{Offset: a}, nil
	}
	b, err := strconv.ParseInt(to, 10, 64)
	if err != nil || b < a {
		return scheme.Range{}, nil
	}
	return scheme.Range{Offset: a, Length: b - a + 1}, nil
}

// once runs one step, no redirect followed, with the header lines of req.
func (t *transport) once(req *http.Request, name string, r scheme.Request, do func(context.Context, *scheme.Env, scheme.Scheme) (*scheme.Resource, error)) (*scheme.Resource, error) {
	op, s, err := t.c.begin(name, r)
	if err != nil {
		return nil, err
	}
	op.header = headerLines(req.Header)
	res, err := do(req.Context(), op.env(), s)
	if err != nil {
		return nil, op.wrap(req.Context(), err)
	}
	return op.finish(req.Context(), res), nil
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
	res, err := t.once(req, "access", r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme) (*scheme.Resource, error) {
		return s.Access(ctx, env, r)
	})
	if err != nil {
		return t.failed(req, err)
	}
	switch res.Kind {
	case scheme.KindObject:
		return object(req, res), nil
	case scheme.KindListing:
		return listing(req, res)
	case scheme.KindReferral:
		defer res.Close()
		if len(res.Next) == 0 {
			return nil, scheme.Fail(scheme.CodeProtocol, "a referral that leads nowhere")
		}
		resp := response(req, http.StatusFound, nil)
		if res.Moved {
			resp = response(req, http.StatusMovedPermanently, nil)
		}
		resp.Header.Set("Location", res.Next[0].URL.Text())
		return resp, nil
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeUnsupported, "it is a %s: no HTTP response can stand for it", res.Kind)
}

func (t *transport) head(req *http.Request, r scheme.Request) (*http.Response, error) {
	var attr scheme.Attr
	_, err := t.once(req, "attributes", r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme) (*scheme.Resource, error) {
		a, ok := s.(scheme.Attributer)
		if !ok {
			return nil, unsupported(s, "find attributes")
		}
		var err error
		attr, err = a.Attributes(ctx, env, r)
		return &scheme.Resource{URL: r.URL}, err
	})
	if err != nil {
		return t.failed(req, err)
	}
	resp := response(req, http.StatusOK, nil)
	describe(resp, attr)
	return resp, nil
}

func (t *transport) send(req *http.Request, r scheme.Request) (*http.Response, error) {
	b := scheme.Body{Reader: req.Body, Size: req.ContentLength, Type: req.Header.Get("Content-Type")}
	if req.Body == nil {
		b.Reader, b.Size = http.NoBody, 0
	}
	res, err := t.once(req, "replace", r, func(ctx context.Context, env *scheme.Env, s scheme.Scheme) (*scheme.Resource, error) {
		if req.Method == http.MethodPut {
			if p, ok := s.(scheme.Replacer); ok {
				return p.Replace(ctx, env, r, b)
			}
			return nil, unsupported(s, "replace")
		}
		if u, ok := s.(scheme.Updater); ok {
			return u.Update(ctx, env, r, b)
		}
		return nil, unsupported(s, "update")
	})
	if err != nil {
		return t.failed(req, err)
	}
	if res.Kind == scheme.KindObject && res.Body != nil {
		return object(req, res), nil
	}
	return response(req, http.StatusOK, nil), res.Close()
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
