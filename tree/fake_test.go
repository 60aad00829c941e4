package tree

import (
	"context"
	"io"
	"net/netip"
	"strings"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// fake is a scheme without resources.
type fake struct{ name string }

func (f fake) Syntax() *locator.Syntax { return locator.SyntaxOf(f.name) }

func (fake) Access(context.Context, *scheme.Env, scheme.Request, scheme.AccessOptions) (*scheme.Resource, error) {
	return nil, scheme.Fail(scheme.CodeNotFound, "nothing is there")
}

// asked is a policy that allows every address, and the URLs that its function allows.
type asked struct {
	policy.Standard
	url func(locator.URL, scheme.Hop) error
}

func (p *asked) URL(u locator.URL, h scheme.Hop) error {
	if p.url != nil {
		return p.url(u, h)
	}
	return nil
}

func (*asked) Addr(scheme.Dial, netip.AddrPort) error { return nil }

func text(s string) *scheme.Resource {
	return &scheme.Resource{Kind: scheme.KindObject, Body: io.NopCloser(strings.NewReader(s))}
}

func refer(urls ...string) *scheme.Resource {
	r := &scheme.Resource{Kind: scheme.KindReferral, Hop: scheme.HopRedirect}
	for _, u := range urls {
		r.Next = append(r.Next, scheme.Entry{URL: parse(u)})
	}
	return r
}

func parse(s string) locator.URL {
	u, err := locator.Current.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}
