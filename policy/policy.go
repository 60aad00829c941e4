package policy

import (
	"net/netip"

	"locator"
	"locator/scheme"
)

// Policy is asked by the client. Its errors are *scheme.Error of code Refused and say what is refused, why, and how to
// allow it if that can be done. It is safe for concurrent use.
type Policy interface {
	// URL is asked before anything is done with u, and again for each hop.
	URL(u locator.URL, h scheme.Hop) error
	// Addr is asked for each connection, after resolution and before connecting; and before a kept one is used again.
	Addr(d scheme.Dial, a netip.AddrPort) error
}

// ProxyPolicy is a Policy that lets a proxy of the user's resolve names. Where policy is none, what would go through such a
// proxy is refused.
type ProxyPolicy interface {
	Policy
	// Proxied is asked in the place of Addr where the name in d.Addr is resolved by a proxy.
	Proxied(d scheme.Dial) error
}
