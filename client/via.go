package client

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"locator"
	"locator/repair"
	"locator/scheme"
	"locator/scheme/ability"
	"locator/wire"
)

// Via is a gateway: an http server that accesses URLs for clients that cannot (RFC 1738 4).
type Via struct {
	text          string // of its URL, without a password
	before, after string // of its URL, around the URL that it shall access
	escape        bool   // the URL stands in a query: everything but unreserved characters is escaped
	own           locator.URL
	proxy         *scheme.Proxy // if it is a proxy; then the other fields but text are not set
}

// ParseVia parses the URL of a gateway, an http or https URL. "{url}" in its path or query is
// replaced by the URL to access; without it, that URL is appended. The URL is escaped in a query,
// but not in a path. A URL without a path is that of a proxy, which gets the whole URL in the
// request line (RFC 9112 3.2.2). The error has the code CodeUsage.
func ParseVia(text string) (Via, error) {
	bad := func(why string) (Via, error) {
		return Via{}, scheme.Fail(scheme.CodeUsage, "%s: %s; write a URL such as http://gateway.example/ or http://gateway.example/get?url={url}, or that of a proxy, "+
			"http://proxy.example:3128", wire.Escape(locator.Redact(text)), why)
	}
	before, after, marked := strings.Cut(text, gatewayMark)
	u, err := locator.Current.Parse(before + after)
	if err != nil {
		return bad(repair.Suggest(locator.Current, before+after, err).Error())
	}
	g := Via{text: locator.Redact(text), before: before, after: after, escape: strings.Contains(before, "?"), own: u}
	_, path := u.Path()
	_, search := u.Search()
	_, web := proxyPorts[u.Scheme()]
	switch {
	case !web || !u.HasHost():
		return bad("a gateway is an http or https server")
	case u != u.WithoutFragment():
		return bad("a fragment is not sent")
	case strings.Contains(after, gatewayMark):
		return bad(gatewayMark + " stands twice")
	case !path && !marked && !search:
		via, err := parseProxy(text)
		return Via{text: g.text, proxy: via}, err
	case !path || len(before) <= strings.Index(text, "://")+len("://")+len(u.Host()):
		return bad("there is no path before " + gatewayMark)
	}
	return g, nil
}

// String returns the text that was parsed, without a password.
func (g Via) String() string { return g.text }

// gatewayMark is replaced by the URL that a gateway shall access.
const gatewayMark = "{url}"

// URL returns the URL of g that stands for u, or the URL that g is asked for if it is a proxy. The
// login of u is left out.
func (g Via) URL(u locator.URL) (locator.URL, error) {
	text := withoutLogin(u.WithoutFragment())
	switch {
	case g.proxy != nil: // it gets the URL as it stands
	case g.escape:
		text = locator.Encode(text)
	default:
		text = escapeForPath(text)
	}
	text = g.before + text + g.after
	to, err := locator.Current.Parse(text)
	if err != nil {
		return to, scheme.Fail(scheme.CodeUnsupported, "the gateway %s cannot be asked for the URL: %w", g, repair.Suggest(locator.Current, text, err))
	}
	return to, nil
}

// withoutLogin returns the text of u without user and password, which are not for a gateway.
func withoutLogin(u locator.URL) string {
	text := u.Text()
	user, ok := u.User()
	if !ok {
		return text
	}
	begin, rest, _ := strings.Cut(text, "//")
	rest = rest[len(user):]
	if password, ok := u.Password(); ok {
		rest = rest[len(":")+len(password):]
	}
	return begin + "//" + strings.TrimPrefix(rest, "@")
}

// escapeForPath escapes the characters of a URL that may not stand in a path or search part of
// another.
func escapeForPath(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}[]#", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Steps returns the commands that an access to u through g would send: see [scheme.Explainer].
func (g Via) Steps(u locator.URL, r *scheme.Registry) ([]string, error) {
	if g.proxy != nil {
		return []string{"CONNECT " + wire.Escape(g.proxy.Addr), "GET " + wire.Escape(withoutLogin(u.WithoutFragment()))}, nil
	}
	to, err := g.URL(u)
	if err != nil {
		return nil, err
	}
	web, _ := r.Lookup(g.own.Scheme())
	x, ok := web.(scheme.Explainer)
	if !ok {
		return nil, nil
	}
	return x.Steps(to)
}

// gatewayed accesses the URLs of a scheme through a gateway. Its resources have the URLs that the user knows.
type gatewayed struct {
	g      Via
	syntax *locator.Syntax
	web    scheme.Scheme
}

// Syntax implements scheme.Scheme.
func (s *gatewayed) Syntax() *locator.Syntax { return s.syntax }

// through calls do with the request for the gateway, and translates the result.
func (s *gatewayed) through(r scheme.Request, do func(scheme.Request) (*scheme.Resource, error)) (*scheme.Resource, error) {
	asked := r.URL
	to, err := s.g.URL(asked)
	if err != nil {
		return nil, err
	}
	r.URL = to
	res, err := do(r)
	if err != nil {
		return nil, err
	}
	if res.URL == to {
		res.URL = asked
	}
	for i, e := range res.Next {
		res.Next[i].URL = s.g.original(e.URL)
	}
	if user, ok := asked.User(); ok && user != "" {
		res.Notes = append(res.Notes, "the login in the URL is not sent to the gateway "+s.g.text)
	}
	return res, nil
}

// original returns the URL that u asks the gateway for, and u if it asks for none.
func (g Via) original(u locator.URL) locator.URL {
	text, ok := strings.CutPrefix(u.Text(), g.before)
	if ok {
		text, ok = strings.CutSuffix(text, g.after)
	}
	if ok && g.escape {
		text = locator.Decode(text)
	}
	if to, err := locator.Current.Parse(text); ok && err == nil {
		return to
	}
	return u
}

// listTypes are the media types of listings that a gateway may send: objects have the names, sizes and dates of the scheme.
var listTypes = []string{"application/x-ndjson", "text/html", "*/*"}

// Access implements scheme.Scheme.
func (s *gatewayed) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	o.Next = nil // URLs of another scheme
	return s.through(r, func(r scheme.Request) (*scheme.Resource, error) { return s.web.Access(ctx, env, r, o) })
}

// List implements scheme.Lister, if the scheme of the gateway does.
func (s *gatewayed) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	l, ok := s.web.(scheme.Lister)
	if !ok {
		return nil, ability.Check(s.web, scheme.OpList)
	}
	if len(o.Accept.Types) == 0 {
		o.Accept.Types = listTypes
	}
	return s.through(r, func(r scheme.Request) (*scheme.Resource, error) {
		res, err := l.List(ctx, env, r, o)
		if err == nil && res.Entries != nil {
			entries := res.Entries
			res.Entries = func(yield func(scheme.Entry, error) bool) {
				for e, err := range entries {
					if e.URL = s.g.original(e.URL); !yield(e, err) {
						return
					}
				}
			}
		}
		return res, err
	})
}

// Attributes implements scheme.Attributer, if the scheme of the gateway does.
func (s *gatewayed) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	a, ok := s.web.(scheme.Attributer)
	if !ok {
		return nil, ability.Check(s.web, scheme.OpAttributes)
	}
	return s.through(r, func(r scheme.Request) (*scheme.Resource, error) { return a.Attributes(ctx, env, r, o) })
}

// Replace implements scheme.Replacer for a proxy. What a gateway with a path does with a PUT is not known.
func (s *gatewayed) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	w, ok := s.web.(scheme.Replacer)
	if !ok || s.g.proxy == nil {
		return nil, scheme.Fail(scheme.CodeUnsupported, "nothing can be stored through the gateway %s; a proxy, whose URL has no path, may store it", s.g)
	}
	return s.through(r, func(r scheme.Request) (*scheme.Resource, error) { return w.Replace(ctx, env, r, b, o) })
}

// throughGateway returns the scheme that accesses op.r.URL through g, a server that the user configured. The policy checks the server that the gateway
// connects to.
func (op *operation) throughGateway(g Via) (scheme.Scheme, error) {
	if addr, ok := op.r.URL.Addr(); ok {
		d := scheme.Dial{Purpose: scheme.ForControl, Addr: addr}
		op.describe(&d)
		if _, err := op.c.dialer.CheckProxied(d); err != nil {
			return nil, err
		}
	}
	op.public.Store(true) // the gateway may read from anywhere
	op.gatewayed = true
	var web scheme.Scheme
	if g.proxy != nil {
		if _, ok := op.r.URL.Addr(); !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "%s is a proxy, which needs a URL with a host and a port; a gateway with a path, such as %s/, may take any URL", g, g)
		}
		op.proxy = g.proxy
		var err error
		if web, err = op.proxyClient(op.r.URL.Scheme()); err != nil {
			return nil, err
		}
	} else {
		var ok bool
		if web, ok = op.c.opt.Registry.Lookup(g.own.Scheme()); !ok {
			return nil, scheme.Fail(scheme.CodeUnsupported, "the gateway %s: scheme %q is not supported", g, g.own.Scheme())
		}
		op.gateway = g.own
		op.secret.addURL(g.own)
	}
	return &gatewayed{g: g, syntax: cmp.Or(locator.SyntaxOf(op.r.URL.Scheme()), &locator.Syntax{Name: op.r.URL.Scheme()}), web: web}, nil
}
