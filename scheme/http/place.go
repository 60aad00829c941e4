package http

import (
	"net/url" // only here, and only to spell http.Request.URL: the type is part of net/http
	"strings"

	"locator"
	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// place is the server that a URL names.
type place struct {
	addr      string // host and port to connect to
	host      string // without the brackets of an IPv6 literal
	authority string // value of the Host field: without the default port
}

func (s Scheme) newPlace(u locator.URL) (place, error) {
	addr, err := scheme.Addr(u)
	if err != nil {
		return place{}, err
	}
	host := u.ASCIIHost()
	p := place{addr: addr, host: strings.Trim(host, "[]"), authority: addr}
	if port, _ := u.PortNumber(); port == locator.DefaultPort(u.Scheme()) {
		p.authority = host
	}
	return p, nil
}

// forProxy returns p with an address in its usual form, so that the proxy connects to the address
// that policy has allowed. Digit groups are decimal (RFC 1738 3.1), but a proxy might take one with
// a leading zero for octal.
func (p place) forProxy() place {
	written := p.addr[:strings.LastIndexByte(p.addr, ':')]
	h := hostaddr.Read(written)
	if h.Kind != hostaddr.Address {
		return p
	}
	p.host = h.Addr.Unmap().String()
	usual := p.host
	if h.Addr.Unmap().Is6() {
		usual = "[" + usual + "]"
	}
	p.addr = usual + strings.TrimPrefix(p.addr, written)
	p.authority = usual + strings.TrimPrefix(p.authority, written)
	return p
}

// target returns the request URL: in origin form for a server, in absolute form for a proxy
// (RFC 9112 3.2). typ is AccessOptions.Type.
func (s Scheme) target(u locator.URL, typ byte, p place, via *proxy) (*url.URL, error) {
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

// target returns u for net/http such that path and search are sent byte for byte as written
// (RFC 1738 3.3).
func target(name, hostport string, u locator.URL) (*url.URL, error) {
	path, _ := u.Path()
	t := &url.URL{Scheme: name, Host: hostport, RawPath: "/" + path}
	want := t.RawPath
	if search, ok := u.Search(); ok {
		t.RawQuery, t.ForceQuery = search, true
		want += "?" + search
	}
	// The URL parser rejects characters that could end a request line; wire.Check is a second line
	// of defence.
	if err := wire.Check("path", want, " \t"); err != nil {
		return nil, scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	var err error
	if t.Path, err = url.PathUnescape(t.RawPath); err == nil && t.RequestURI() == want {
		return t, nil
	}
	return nil, scheme.Fail(scheme.CodeRefused, "the path %s cannot be sent as written", wire.Escape(t.RawPath))
}
