package policy

import (
	"net/netip"

	"locator"
	"locator/scheme"
)

// Policy decides what a client may access. Its methods return nil, or a *scheme.Error of code CodeRefused whose text names
// what is refused, why, and how to allow it if that is possible. A Policy must be safe for concurrent use.
type Policy interface {
	// URL is called before u is accessed, and for each hop.
	URL(u locator.URL, h scheme.Hop) error
	// Addr is called for each connection, after name resolution and before connecting, and before a pooled connection is
	// reused.
	Addr(d scheme.Dial, a netip.AddrPort) error
}

// ClientPolicy is a Policy that also decides what a client may spend and send. If the policy does not implement it, a client has the
// limits of its options, and uses its logins.
type ClientPolicy interface {
	Policy
	// Limits returns the limits where neither the options of the client nor the request set any. It is called once.
	Limits() scheme.Limits
	// UsesLogins reports whether the client may ask its sources of logins, and send the header lines of its options to any server.
	// It is called once.
	UsesLogins() bool
}

// ProxyPolicy is a Policy that can check host names that a proxy resolves. If the policy does not implement it, connections
// by name through a proxy are refused.
type ProxyPolicy interface {
	Policy
	// Proxied is called instead of Addr if a proxy resolves the name in d.Addr.
	Proxied(d scheme.Dial) error
}
