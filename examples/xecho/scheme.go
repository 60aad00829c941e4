package xecho

import (
	"context"
	"io"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Port is the default port of an echo server.
const Port = 10738

// productions is the syntax in the notation of RFC 1738 section 5. It uses the rules of that
// section.
const productions = `
xechourl = "x-echo://" hostport "/" *xchar
`

// Scheme implements x-echo.
type Scheme struct{}

// New returns the scheme.
func New() Scheme { return Scheme{} }

// Syntax implements scheme.Scheme.
func (Scheme) Syntax() *locator.Syntax {
	return &locator.Syntax{
		Name: "x-echo", Port: Port, Ports: []uint16{Port},
		Rule: "xechourl", Section: "4", Productions: productions,
	}
}

// Access reads a text or lists a folder.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := placeOf(r.URL)
	if err != nil {
		return nil, err
	}
	if p.folder() {
		return s.List(ctx, env, r, scheme.ListOptions{})
	}
	d, reply, err := ask(ctx, env, p, "GET")
	if err != nil {
		return nil, err
	}
	size, err := strconv.ParseInt(reply, 10, 64)
	if err != nil || size < 0 {
		d.Close()
		return nil, scheme.Replied(scheme.CodeProtocol, wire.Escape(reply), "the reply has no size")
	}
	return &scheme.Resource{
		URL: r.URL, Kind: scheme.KindObject,
		Attr: scheme.Attr{Size: scheme.Known(size)},
		Body: &body{dialogue: d, left: size},
	}, nil
}

// List lists a folder. The protocol has no searches and no attributes, so List uses only the option
// Max.
func (Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	p, err := placeOf(r.URL)
	if err != nil {
		return nil, err
	}
	d, _, err := ask(ctx, env, p, "LIST")
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: d.entries(p, env.Limits, o), Closer: d}, nil
}

// Replace stores a text.
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, _ scheme.WriteOptions) (*scheme.Resource, error) {
	p, err := placeOf(r.URL)
	if err != nil {
		return nil, err
	}
	d, _, err := ask(ctx, env, p, "PUT")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := d.send(ctx, b); err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(""))}, nil
}

// Steps returns the dialogue of an access.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := placeOf(u)
	if err != nil {
		return nil, err
	}
	verb := "GET"
	if p.folder() {
		verb = "LIST"
	}
	l, err := wire.Command(verb, "name", p.name)
	if err != nil {
		return nil, err
	}
	return []string{"CONNECT " + wire.Escape(p.addr), l.String()}, nil
}
