package prospero

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Scheme is prospero. It holds no state: every request is an exchange of its own, as the protocol
// has it.
type Scheme struct{}

var (
	_ scheme.Scheme     = Scheme{}
	_ scheme.Lister     = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Explainer  = Scheme{}
	_ scheme.FileNamer  = Scheme{}
)

// New returns the scheme prospero.
func New() Scheme { return Scheme{} }

// Syntax returns the syntax of prospero URLs (RFC 1738 3.11).
func (Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf(schemeName) }

// Access returns a directory as a Listing, an object whose content the server has as an Object, and
// any other object as a Referral to the URLs of its access methods. It ignores Range, If and
// Accept, which Prospero does not have.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	if !p.noListing {
		res, err := s.list(ctx, env, r.URL, p, nil)
		if !errors.Is(err, errNoDirectory) {
			return res, err
		}
	}
	return s.object(ctx, env, r.URL, p)
}

// object returns the content of an object, or a referral to where it can be read.
func (s Scheme) object(ctx context.Context, env *scheme.Env, u locator.URL, p place) (*scheme.Resource, error) {
	at, list, err := p.info(ctx, env, methodAttributes)
	if err != nil {
		return nil, err
	}
	var next []scheme.Entry
	var names []string
	for _, m := range list.methods(at) {
		names = append(names, m.name)
		if m.name == "PROSPERO-CONTENTS" && next == nil { // the server's order is that of preference
			m.place.port = cmp.Or(m.place.port, defaultPort)
			if m.place.host == at.host && m.place.port == at.port && m.place.name == at.name {
				m.place = at
			}
			return s.content(ctx, env, u, m.place, list.attr())
		}
		if to, kind, ok := m.url(at); ok {
			next = append(next, scheme.Entry{Name: to.Readable(), URL: to, Kind: kind, Attr: list.attr()})
		}
	}
	switch {
	case next != nil:
		return &scheme.Resource{URL: at.here(u), Kind: scheme.KindReferral, Next: next, Hop: scheme.HopReferral, Attr: list.attr()}, nil
	case list.isDirectory():
		return nil, scheme.Fail(scheme.CodeProtocol, "the server says that it is a directory, and that it is none")
	}
	return nil, scheme.Fail(scheme.CodeUnsupported, "%s", noMethod(names))
}

// content returns the content of an object, which comes in the response itself.
func (s Scheme) content(ctx context.Context, env *scheme.Env, u locator.URL, p place, known scheme.Attr) (*scheme.Resource, error) {
	limit := env.Limits.Body
	if limit == 0 {
		limit = -1
	} else {
		limit += int64(env.Limits.Header)
	}
	at, a, first, err := p.resolve(ctx, env, func(p place) string { return p.infoRequest(contents) }, limit, nil)
	if err != nil {
		return nil, err
	}
	b := &body{ctx: ctx, reply: a, size: known.Size}
	if err := b.line(first.tokens, first.value, first.end); err != nil {
		a.Close()
		return nil, err
	}
	return &scheme.Resource{URL: at.here(u), Kind: scheme.KindObject, Attr: known, Body: b, Notes: a.warnings}, nil
}

// FileName returns the last part of a name, as in a path.
func (Scheme) FileName(u locator.URL, decoded bool) string {
	v, ok := locator.As[*locator.Prospero](u)
	if !ok {
		return ""
	}
	return v.Name[strings.LastIndexByte(v.Name, '/')+1:]
}

// Steps returns the lines of the first request.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	request := p.listRequest()
	if p.noListing {
		request = p.infoRequest(methodAttributes)
	}
	steps := []string{"CONNECT " + wire.Escape(p.addr())}
	return append(steps, lines(preamble()+request)...), nil
}

// isLoopback reports whether a host is this computer.
func isLoopback(host string) bool {
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}
