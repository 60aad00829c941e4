package http

import (
	"context"
	"math"
	"net"
	nethttp "net/http"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// place is the server of a URL.
type place struct {
	host, port string // the host without the brackets of an IPv6 literal
	authority  string // for the Host field: without the default port
}

func (s Scheme) place(u locator.URL) (place, error) {
	port, ok := u.PortNumber()
	if !ok || port == 0 {
		return place{}, scheme.Fail(scheme.CodeRefused, "port %q is no port number between 1 and 65535", u.Port())
	}
	host := u.ASCIIHost()
	p := place{host: strings.Trim(host, "[]"), port: strconv.Itoa(int(port)), authority: host}
	if p.host == "" {
		return place{}, scheme.Fail(scheme.CodeMalformed, "the URL names no host")
	}
	if port != locator.DefaultPort(u.Scheme()) {
		p.authority += ":" + p.port
	}
	return p, nil
}

// addr is host:port as for a dialler.
func (p place) addr() string { return net.JoinHostPort(p.host, p.port) }

// request writes the request for r. Its context is set when it is sent.
func (s Scheme) request(env *scheme.Env, r scheme.Request, o scheme.AccessOptions, p place, via *proxy, method string) (*nethttp.Request, error) {
	u, err := s.target(r.URL, o.Type, p, via)
	if err != nil {
		return nil, err
	}
	req := &nethttp.Request{Method: method, URL: u, Host: p.authority, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(nethttp.Header)}
	h := req.Header
	h.Set("User-Agent", env.UserAgent) // an empty one is not sent
	if via != nil && via.login != "" && s.name == "http" {
		h.Set("Proxy-Authorization", via.login)
	}
	if len(o.Accept.Types) > 0 {
		h.Set("Accept", wishes(o.Accept.Types))
	}
	if len(o.Accept.Languages) > 0 {
		h.Set("Accept-Language", wishes(o.Accept.Languages))
	}
	if method == nethttp.MethodGet {
		if !o.Range.IsZero() {
			h.Set("Range", rangeField(o.Range))
			h.Set("Accept-Encoding", "identity") // part of a compressed body is of no use
			if v := ifRange(o.If); v != "" {
				h.Set("If-Range", v)
			}
		}
		if o.If.NoneMatch != "" {
			h.Set("If-None-Match", o.If.NoneMatch)
		}
		if !o.If.ModifiedSince.IsZero() {
			h.Set("If-Modified-Since", o.If.ModifiedSince.UTC().Format(nethttp.TimeFormat))
		}
	}
	if err := addFields(req, env.Header); err != nil {
		return nil, err
	}
	for name, values := range h {
		for _, v := range values {
			if err := wire.Check("header field "+name, v, ""); err != nil {
				return nil, scheme.Fail(scheme.CodeRefused, "%w", err)
			}
			if !httpguts.ValidHeaderFieldValue(v) {
				return nil, scheme.Fail(scheme.CodeRefused, "the header field %s holds a control character", name)
			}
		}
	}
	return req, nil
}

// addFields adds the header lines that the user configured. They win over ours.
func addFields(req *nethttp.Request, lines []string) error {
	own := make(map[string]bool)
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !httpguts.ValidHeaderFieldName(name) {
			return scheme.Fail(scheme.CodeUsage, "a header line must be \"Name: value\", not %q", wire.Escape(name))
		}
		name = nethttp.CanonicalHeaderKey(name)
		switch name {
		case "Host":
			req.Host = value
		case "Content-Length", "Transfer-Encoding", "Connection", "Trailer":
			return scheme.Fail(scheme.CodeUsage, "the header field %s is not yours to set: it follows from the body and the connection", name)
		default:
			if !own[name] {
				req.Header.Del(name)
				own[name] = true
			}
			req.Header.Add(name, value)
		}
	}
	return nil
}

// wishes writes a list, best first (RFC 9110 12.4.2).
func wishes(list []string) string {
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v)
		if i > 0 {
			b.WriteString(";q=0." + strconv.Itoa(max(1, 10-i)))
		}
	}
	return b.String()
}

// rangeField writes a range (RFC 9110 14.2).
func rangeField(r scheme.Range) string {
	end := ""
	if r.Length > 0 && r.Offset <= math.MaxInt64-r.Length {
		end = strconv.FormatInt(r.Offset+r.Length-1, 10)
	}
	return "bytes=" + strconv.FormatInt(r.Offset, 10) + "-" + end
}

// ifRange writes the validator of a copy whose rest is wanted (RFC 9110 13.1.5): a strong entity tag, or where there is
// none at all the date.
func ifRange(c scheme.Conditions) string {
	switch {
	case strings.HasPrefix(c.RangeTag, `"`):
		return c.RangeTag
	case c.RangeTag == "" && !c.RangeModified.IsZero():
		return c.RangeModified.UTC().Format(nethttp.TimeFormat)
	}
	return ""
}

func conditional(c scheme.Conditions) bool { return c.NoneMatch != "" || !c.ModifiedSince.IsZero() }

// exchange is all that one request needs to be sent, again if need be.
type exchange struct {
	s   Scheme
	env *scheme.Env
	r   scheme.Request
	o   scheme.AccessOptions
	at  place
	via *proxy // nil is none
	req *nethttp.Request
	up  *upload // nil without a body

	tried tried
}

// ask sends the request for r and brings the answer, whatever its status, a login included if the peer asks for one.
func (s Scheme) ask(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions, method string, up *upload) (*answer, error) {
	if o.Range.Offset < 0 || o.Range.Length < 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "a range cannot begin or end before the body")
	}
	at, err := s.place(r.URL)
	if err != nil {
		return nil, err
	}
	via, err := proxyOf(env.Proxy)
	if err != nil {
		return nil, err
	}
	req, err := s.request(env, r, o, at, via, method)
	if err != nil {
		return nil, err
	}
	x := &exchange{s: s, env: env, r: r, o: o, at: at, via: via, req: req, up: up}
	if err := x.introduce(ctx); err != nil {
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
		if up != nil {
			if !up.rewind(ctx, a) {
				return nil, scheme.Replied(scheme.CodeLoginNeeded, a.statusLine(),
					"the server asked for a login when the body was on its way, and the body cannot be read twice: send it from a file")
			}
			up.attach(req)
		}
	}
}
