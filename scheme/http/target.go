package http

import (
	"net/url" // only here, and only to spell http.Request.URL: the type is part of net/http

	"locator"
	"locator/scheme"
	"locator/wire"
)

// target returns the request URL: in origin form for a server, in absolute form for a proxy (RFC 9112 3.2). typ is
// AccessOptions.Type.
func (s Scheme) target(u locator.URL, typ byte, p endpoint, via *proxy) (*url.URL, error) {
	u = u.ASCII() // non-ASCII characters are sent percent-encoded (RFC 3987 3.1)
	if via == nil || s.name == "https" {
		return target(s.name, p.authority, u)
	}
	text, err := absolute(u, p.authority, typ)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: "http", Host: p.authority, Opaque: text}, nil
}

// target returns u for net/http such that path and search are sent byte for byte as written (RFC 1738 3.3).
func target(name, hostport string, u locator.URL) (*url.URL, error) {
	path, _ := u.Path()
	t := &url.URL{Scheme: name, Host: hostport, RawPath: "/" + path}
	want := t.RawPath
	if search, ok := u.Search(); ok {
		t.RawQuery, t.ForceQuery = search, true
		want += "?" + search
	}
	// The URL parser rejects characters that could end a request line; wire.Check is a second line of defence.
	if err := wire.Check("path", want, " \t"); err != nil {
		return nil, scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	var err error
	if t.Path, err = url.PathUnescape(t.RawPath); err == nil && t.RequestURI() == want {
		return t, nil
	}
	return nil, scheme.Fail(scheme.CodeRefused, "the path %s cannot be sent as written", wire.Escape(t.RawPath))
}
