package http

import (
	"cmp"
	"context"
	"fmt"
	nethttp "net/http"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Settings are the settings of http and https. UserAgent is the User-Agent of requests that have
// none; "" sends none.
type Settings struct{ UserAgent string }

// Scheme implements the scheme http or https.
type Scheme struct{ name string }

var _ scheme.Remover = Scheme{}

// New returns the scheme "http" or "https". It panics for any other name.
func New(name string) Scheme {
	if name != "http" && name != "https" {
		panic(fmt.Sprintf("http: unsupported scheme %q", name))
	}
	return Scheme{name}
}

// Syntax returns the syntax of RFC 1738 3.3.
func (s Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf(s.name) }

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"type", "reply"}
}

// Access gets the resource (GET). The result is an Object, even for the index of a folder: see
// [Scheme.List]. A redirect is returned as a Referral (RFC 9110 15.4).
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	a, err := s.do(ctx, env, r, o, nethttp.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case a.StatusCode == nethttp.StatusNotModified && (o.If.NoneMatch != "" || !o.If.ModifiedSince.IsZero()):
		defer a.discard()
		res := &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code(), NotModified: true}
		res.Fresh, res.NoStore = a.freshness()
		return res, nil
	case a.redirects():
		defer a.discard()
		return a.referral()
	case a.StatusCode == nethttp.StatusRequestedRangeNotSatisfiable:
		defer a.discard()
		return a.rangeNotSatisfiable()
	case !a.success():
		return nil, a.statusError()
	}
	return a.object()
}

// Replace stores b as the resource (PUT, RFC 9110 9.3.4).
func (s Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return s.send(ctx, env, r, o, nethttp.MethodPut, b)
}

// Update sends b to the resource (POST, RFC 9110 9.3.3). The Body of the result is the server's
// response.
func (s Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return s.send(ctx, env, r, o, nethttp.MethodPost, b)
}

// SpeaksTo reports whether Env.Proxy may be a proxy of that kind. HTTP proxies accept requests for
// URLs of any scheme (RFC 9112 3.2.2).
func (s Scheme) SpeaksTo(proxyKind string) bool { return proxyKind == "http" || proxyKind == "https" }

// ListingName returns the name of a page: the last segment of the path or, for a folder, the usual
// "index.html".
func (s Scheme) ListingName(u locator.URL) string {
	segments := decodedSegments(u)
	return cmp.Or(segments[len(segments)-1], "index.html")
}

// Robots returns the URL of the server's robots.txt (RFC 9309 2.3), and the path of u that its
// rules match.
func (s Scheme) Robots(u locator.URL) (file locator.URL, path string, err error) {
	path, _ = u.Path()
	path = "/" + path
	if search, ok := u.Search(); ok {
		path += "?" + search
	}
	at := u.Scheme() + "://" + u.Host()
	if port := u.Port(); port != "" {
		at += ":" + port
	}
	file, err = locator.Current.Parse(at + "/robots.txt")
	return file, path, err
}

// Steps returns what an access to u would send: "CONNECT host:80", the request line, and the Host
// field. Other fields depend on the user, not on the URL. For https all but the first is sent over
// TLS.
func (s Scheme) Steps(u locator.URL) ([]string, error) {
	at, err := s.newPlace(u)
	if err != nil {
		return nil, err
	}
	req, err := s.newRequest(&scheme.Env{}, scheme.Request{URL: u}, scheme.AccessOptions{}, at, nil, nethttp.MethodGet)
	if err != nil {
		return nil, err
	}
	return []string{
		"CONNECT " + wire.Escape(at.addr),
		wire.Escape(req.Method + " " + req.URL.RequestURI() + " " + req.Proto),
		"Host: " + wire.Escape(req.Host),
	}, nil
}
