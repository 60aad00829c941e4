package client

import (
	"slices"

	"locator"
	"locator/scheme"
)

// checkTLS returns an error if Options.RequireTLS is set and the protocol of the named scheme, or
// the gateway for it, is spoken without TLS.
func (c *Client) checkTLS(name string) error {
	if g, ok := c.opt.Via[name]; ok {
		if g.proxy != nil {
			return c.checkTLSTo(g.proxy.Kind)
		}
		return c.checkTLSTo(g.own.Scheme())
	}
	s, ok := c.opt.Registry.Lookup(name)
	if !c.opt.RequireTLS || !ok || c.usesTLS(s) {
		return nil
	}
	for _, n := range c.opt.Registry.Names() {
		if o, _ := c.opt.Registry.Lookup(n); o.Syntax().TLS && o.Syntax().Family == s.Syntax().Family {
			return scheme.Fail(scheme.CodeRefused, "TLS is required, and %s sends everything in clear text; use a URL that begins with %s:", name, n)
		}
	}
	return scheme.Fail(scheme.CodeRefused, "TLS is required, and %s sends everything in clear text; no scheme has it over TLS; leave out the requirement, or set a gateway with TLS", name)
}

// usesTLS reports whether connections of s begin with TLS or can switch to it. The URLs of a scheme
// without a port make no connections.
func (c *Client) usesTLS(s scheme.Scheme) bool {
	if x := s.Syntax(); x.TLS || x.Port == 0 && len(x.Ports) == 0 {
		return true
	}
	user, ok := s.(scheme.OptionUser)
	return ok && slices.Contains(user.Options(), "tls")
}

// checkTLSTo returns an error if Options.RequireTLS is set and a proxy or gateway, which is asked
// by the named scheme, is asked without TLS.
func (c *Client) checkTLSTo(name string) error {
	if !c.opt.RequireTLS {
		return nil
	}
	if s := locator.SyntaxOf(name); s != nil && s.TLS {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "TLS is required, and the proxy or gateway is asked by %s, which sends everything in clear text; use one with a URL that begins with https:", name)
}
