package http

import (
	"context"
	"fmt"
	"iter"
	nethttp "net/http"

	"locator"
	"locator/scheme"
)

// Scheme is http or https.
type Scheme struct{ name string }

// New makes the scheme "http" or "https". It panics for another name: a mistake of the program, not of its input.
func New(name string) Scheme {
	if name != "http" && name != "https" {
		panic(fmt.Sprintf("http: there is no scheme %q here", name))
	}
	return Scheme{name}
}

// Syntax is that of RFC 1738 3.3.
func (s Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf(s.name) }

// Access gets the resource. It is an Object, also where it is a folder's index: see [Scheme.List]. A redirect is a
// Referral (RFC 9110 15.4).
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
	a, err := s.ask(ctx, env, r, nethttp.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case a.StatusCode == nethttp.StatusNotModified && conditional(r):
		defer a.discard()
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: a.attr(), NotModified: true}, nil
	case a.redirects():
		defer a.discard()
		return a.referral()
	case a.StatusCode == nethttp.StatusRequestedRangeNotSatisfiable:
		defer a.discard()
		return a.pastEnd()
	case !a.fine():
		return nil, a.refusal()
	}
	return a.object()
}

// Attributes finds the header fields that the resource would come with, by HEAD, or by a GET whose body is not read
// where the server knows no HEAD.
func (s Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request) (scheme.Attr, error) {
	r.Range, r.If = scheme.Range{}, scheme.Conditions{}
	a, err := s.ask(ctx, env, r, nethttp.MethodHead, nil)
	if err == nil && (a.StatusCode == nethttp.StatusMethodNotAllowed || a.StatusCode == nethttp.StatusNotImplemented) {
		a.discard()
		a, err = s.ask(ctx, env, r, nethttp.MethodGet, nil)
	}
	if err != nil {
		return scheme.Attr{}, err
	}
	if a.redirects() {
		defer a.discard()
		next, err := a.referral()
		if err != nil {
			return scheme.Attr{}, err
		}
		return scheme.Attr{}, &scheme.ReferralError{Resource: next}
	}
	if !a.fine() {
		return scheme.Attr{}, a.refusal()
	}
	defer a.discard()
	return a.attr(), nil
}

// List reads the index of a folder: the links of an HTML page that lead below it. The first error is a
// *scheme.ReferralError where the server redirects.
func (s Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		r.Range, r.If = scheme.Range{}, scheme.Conditions{}
		res, err := s.Access(ctx, env, r)
		if err == nil && res.Kind == scheme.KindReferral {
			err = &scheme.ReferralError{Resource: res}
		}
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		defer res.Close()
		index(res, env.Limits, r.Max, yield)
	}
}

// Replace puts b in the place of the resource (PUT, RFC 9110 9.3.4).
func (s Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	return s.send(ctx, env, r, nethttp.MethodPut, b)
}

// Update has the resource process b (POST, RFC 9110 9.3.3). The Body of what it gives is the server's answer.
func (s Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body) (*scheme.Resource, error) {
	return s.send(ctx, env, r, nethttp.MethodPost, b)
}
