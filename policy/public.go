package policy

import (
	"net/netip"

	"locator/internal/hostaddr"
)

// Public reports whether an address is public: IANA calls it globally reachable, or hands it out and says nothing against
// it. The IPv4 address inside an IPv6 address is judged too: an IPv4-mapped address stands for it (RFC 4291 2.5.5.2), and a
// translated one leads to it (RFC 6052). 6to4 and Teredo addresses are never public: where they lead depends on relays.
func Public(a netip.Addr) bool { return hostaddr.Public(a) }

// Class returns the special-purpose block that holds an address, with the RFC that defines it, and the block that holds the
// IPv4 address inside it. Both are empty for an ordinary public address.
func Class(a netip.Addr) (name, rfc string) { return hostaddr.Class(a) }
