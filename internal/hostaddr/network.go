package hostaddr

import "net/netip"

// NetworkOf returns the address by which a server counts what one client uses: of IPv6 the first
// address of the network of 64 bits, since one host may have all addresses of it.
func NetworkOf(a netip.Addr) netip.Addr {
	if a = a.Unmap().WithZone(""); a.Is4() {
		return a
	}
	p, _ := a.Prefix(64) // valid for every IPv6 address
	return p.Addr()
}
