package policy

import (
	"net/netip"

	"locator"
	"locator/scheme"
)

// Policy decides what a client may access. Its methods return nil, or a *scheme.Error of code
// CodeRefused whose text names what is refused and why. A Policy must be safe for concurrent use.
//
// A policy of one's own embeds a [Standard] or another Policy, and implements the methods that
// differ. All limits and bans are methods of this interface, so that embedding keeps them:
//
//	type logged struct{ policy.Policy }
//
//	func (l logged) URL(u locator.URL, h scheme.Hop) error {
//		err := l.Policy.URL(u, h)
//		log.Print(u.Redacted(), ": ", err)
//		return err
//	}
type Policy interface {
	// URL is called before u is accessed, and for each hop.
	URL(u locator.URL, h scheme.Hop) error
	// Addr is called for each connection, after name resolution and before connecting, and before a
	// pooled connection is reused.
	Addr(d scheme.Dial, a netip.AddrPort) error
	// Proxied is called instead of Addr if a proxy resolves the name in d.Addr.
	Proxied(d scheme.Dial) error
	// Limits returns the limits where neither the options of the client nor the request set any. It
	// is called once.
	Limits() scheme.Limits
	// UsesLogins reports whether the client may ask its sources of logins, and send the header
	// lines of its options to any server. It is called once.
	UsesLogins() bool
}
