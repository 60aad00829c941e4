package prospero

import (
	"context"
	"io"

	"locator/internal/held"
	"locator/scheme"
)

// aboutRequest asks a server for its version and its message of the day.
func aboutRequest() string { return command("VERSION") + command("PARAMETER GET MOTD") }

// about returns what the server of p says about itself. A server that does not say it is not an
// error.
func (p place) about(ctx context.Context, env *scheme.Env) ([]scheme.Attribute, error) {
	a, err := ask(ctx, env, p, aboutRequest(), int64(env.Limits.Header), nil)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for err == nil {
		_, _, err = a.line(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != io.EOF {
		env.Trace.OnNote("the server does not say all about itself: " + err.Error())
	}
	var all []scheme.Attribute
	for _, x := range []scheme.Attribute{{Name: "Version", Value: a.version}, {Name: "Message of the day", Value: a.motd}} {
		if x.Value != "" {
			x.Block = "server"
			all = append(all, x)
		}
	}
	return all, nil
}

// Attributes returns what the server knows of an object.
func (s Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	at, list, err := p.info(ctx, env, allAttributes)
	if err != nil {
		return nil, err
	}
	kind := scheme.KindObject
	if list.isDirectory() {
		kind = scheme.KindListing
	}
	attr := list.attr()
	if o.ServerInfo {
		about, err := at.about(ctx, env)
		if err != nil {
			return nil, err
		}
		attr.More = append(attr.More, about...)
	}
	return &scheme.Resource{URL: at.here(r.URL), Kind: kind, Attr: attr}, nil
}

// info requests attributes of an object. It returns where they are from.
func (p place) info(ctx context.Context, env *scheme.Env, names string) (place, attributes, error) {
	at, a, first, err := p.resolve(ctx, env, func(p place) string { return p.infoRequest(names) }, int64(env.Limits.Header), nil)
	if err != nil {
		return p, nil, err
	}
	defer a.Close()
	list, left := attributes(nil), held.Budget(attributeBudget)
	for l := first; !l.end; {
		if x, ok := parseAttribute(l.tokens); ok && !l.value {
			if err := list.add(x, &left); err != nil {
				return at, nil, err
			}
		}
		if l.tokens, l.value, err = a.line(ctx); err == io.EOF {
			break
		}
		if err != nil {
			return at, nil, err
		}
	}
	return at, list, nil
}
