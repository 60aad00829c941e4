package policy

import (
	"net/netip"

	"locator/internal/hostaddr"
)

// Public reports whether a is public: the IANA registries list it as globally reachable, or
// allocate it without a restriction. An IPv6 address that contains an IPv4 address is public only
// if the IPv4 address is: IPv4-mapped (RFC 4291 2.5.5.2) and translated addresses (RFC 6052). 6to4
// and Teredo addresses are never public, since relays choose their destination.
func Public(a netip.Addr) bool { return hostaddr.Public(a) }
