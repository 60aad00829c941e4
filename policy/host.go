package policy

import (
	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// checkHost refuses hosts that look like an address and are none: what the resolver of a system makes of them is not what the
// URL says (RFC 1738 3.1, S4). Names are left to the resolver; "" is this machine in a file URL. A zone names an interface of
// this machine, which no URL may choose (no syntax here has RFC 6874).
func checkHost(host string) error {
	shown := wire.Escape(shorten(host))
	switch h := hostaddr.Read(host); h.Kind {
	case hostaddr.BadIPv6:
		return scheme.Fail(scheme.CodeRefused, "the host %s is no IPv6 address (RFC 3986 3.2.2)", shown)
	case hostaddr.Zoned:
		return scheme.Fail(scheme.CodeRefused, "the host %s names a zone of this machine; write the address without it", shown)
	case hostaddr.Numeric:
		return scheme.Fail(scheme.CodeRefused, "the host %s ends in a number and is no address: an address has four digit groups (RFC 1738 3.1)", shown)
	case hostaddr.BadGroup:
		return scheme.Fail(scheme.CodeRefused, "the host %s is no address: its digit group %s is not 0 to 255 (RFC 1738 3.1)",
			shown, wire.Escape(shorten(h.Bad)))
	}
	return nil
}
