package policy

import (
	"net/netip"

	"locator"
	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// hostAddr returns the address that the host of u is. It is the zero Addr for a name, except that
// the name localhost is 127.0.0.1 (RFC 6761 6.3).
func hostAddr(u locator.URL) netip.Addr {
	host := u.ASCIIHost()
	if hostaddr.LocalName(host) == hostaddr.ThisMachine {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return hostaddr.Read(host).Addr
}

// checkHost refuses hosts that look like an address but are not one: system resolvers read them in
// different ways (RFC 1738 3.1, S4). Names are left to the resolver; "" means the local host in a
// file URL. A zone names an interface of the local host, which a URL must not choose (RFC 6874 is
// not supported).
func checkHost(host string) error {
	shown := wire.Escape(shorten(host))
	h := hostaddr.Read(host)
	switch h.Kind {
	case hostaddr.BadIPv6:
		return scheme.Fail(scheme.CodeRefused, "the host %s is not an IPv6 address", shown)
	case hostaddr.Zoned:
		return scheme.Fail(scheme.CodeRefused, "the host %s contains a zone; write the address without it", shown)
	case hostaddr.Numeric:
		return scheme.Fail(scheme.CodeRefused, "the host %s ends in a number but is not an address: an address has four digit groups", shown)
	case hostaddr.BadGroup:
		return scheme.Fail(scheme.CodeRefused, "the host %s is not an address: its digit group %s is not 0 to 255",
			shown, wire.Escape(shorten(h.Bad)))
	}
	if h.Addr.IsValid() {
		if why := hostaddr.NotUnicast(h.Addr.Unmap()); why != "" {
			return scheme.Fail(scheme.CodeRefused, "nothing can connect to the host %s: %s", shown, why)
		}
	}
	return nil
}
