package http

import (
	"net/url" // only here, and only to spell http.Request.URL: the type is part of net/http

	"locator"
	"locator/scheme"
	"locator/wire"
)

// target spells the URL of a request: the origin form for a server, the absolute form for a proxy that is to understand it
// (RFC 9112 3.2). typ is the type of AccessOptions.
func (s Scheme) target(u locator.URL, typ byte, p place, via *proxy) (*url.URL, error) {
	u = u.ASCII() // what is beyond ASCII goes out as escapes (RFC 3987 3.1)
	if via == nil || s.name == "https" {
		return target(s.name, p.authority, u)
	}
	text, err := absolute(u, p.authority, typ)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: "http", Host: p.authority, Opaque: text}, nil
}

// target spells a URL for net/http so that its path and search go out octet by octet as written (RFC 1738 3.3).
func target(name, hostport string, u locator.URL) (*url.URL, error) {
	path, _ := u.Path()
	t := &url.URL{Scheme: name, Host: hostport, RawPath: "/" + path}
	want := t.RawPath
	if search, ok := u.Search(); ok {
		t.RawQuery, t.ForceQuery = search, true
		want += "?" + search
	}
	// The grammar lets nothing through that could end a request line; this is net 3 beside it.
	if err := wire.Check("path", want, " \t"); err != nil {
		return nil, scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	var err error
	if t.Path, err = url.PathUnescape(t.RawPath); err == nil && t.RequestURI() == want {
		return t, nil
	}
	return nil, scheme.Fail(scheme.CodeRefused, "the path %s cannot be sent as it is written", wire.Escape(t.RawPath))
}
