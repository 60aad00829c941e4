package policy

import (
	"net"
	"net/netip"
	"slices"
	"strconv"

	"locator/internal/hint"
	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// Addr implements Policy. It checks the resolved address of a connection before it is opened,
// whatever its name. The error has the code CodeRefused.
//
// In any mode it refuses addresses that are not unicast, those in [Options].DenyNets, port 0, the
// ports that [Standard.URL] refuses for the scheme, a hop from a public to a private address, and a
// data connection to an address other than that of the control connection (RFC 1738 6). A data
// connection may use any port, since the server chooses it.
func (s *Standard) Addr(d scheme.Dial, a netip.AddrPort) error {
	a = unmap(a)
	if why := hostaddr.NotUnicast(a.Addr().WithZone("")); why != "" {
		return refuseAddr(d, a, "%s", why)
	}
	if d.Purpose == scheme.ForProxy { // configured by the user: any address and port
		if a.Port() == 0 {
			return refuseAddr(d, a, "port 0 is not valid")
		}
		return nil
	}
	if p, ok := s.denied(a.Addr()); ok {
		return refuseAddr(d, a, "it is in the denied network %s", p)
	}
	allowed := Public(a.Addr()) || contains(s.opt.AllowNets, a.Addr())
	if d.FromPublic && !allowed {
		advice := ""
		if s.address(d, a) == nil {
			advice = hint.Direct
		}
		return hint.On(advice, refuseAddr(d, a, "%s, and a public address led there", class(a.Addr())))
	}
	if d.Purpose == scheme.ForData {
		return s.data(d, a)
	}
	if err := s.dialPort(d, a.Port()); err != nil {
		return err
	}
	return s.address(d, a)
}

// Proxied implements Policy. It checks a host name that a proxy will resolve. The address is not
// known, so the name is refused if only public addresses are allowed or networks are denied. A name
// of the proxy's own host or network (localhost, intranet, db.internal) is refused if a public
// address led there.
func (s *Standard) Proxied(d scheme.Dial) error {
	host, port, err := net.SplitHostPort(d.Addr)
	n, err2 := strconv.ParseUint(port, 10, 16)
	if err != nil || err2 != nil {
		return scheme.Fail(scheme.CodeRefused, "invalid address %s", wire.Escape(shorten(d.Addr)))
	}
	if d.Purpose != scheme.ForData { // a data connection may use any port
		err = s.dialPort(d, uint16(n))
	} else if n == 0 {
		err = scheme.Fail(scheme.CodeRefused, "%s: port 0 is not valid", wire.Escape(shorten(d.Addr)))
	}
	if err != nil {
		return err
	}
	switch {
	case s.opt.Addresses == PublicOnly:
		return hint.Fail(hint.Addresses, scheme.CodeRefused, "only public addresses are allowed, and the address of %s cannot be checked because a proxy resolves it",
			wire.Escape(shorten(host)))
	case len(s.opt.DenyNets) > 0:
		return scheme.Fail(scheme.CodeRefused, "networks are denied, and the address of %s cannot be checked because a proxy resolves it; "+
			"connect without the proxy", wire.Escape(shorten(host)))
	case d.FromPublic && hostaddr.LocalName(host) != "":
		return hint.Fail(hint.Direct, scheme.CodeRefused, "a public address led to %s, which is %s",
			wire.Escape(shorten(host)), hostaddr.LocalName(host))
	}
	return nil
}

// data checks a data connection: its address must be that of the control connection, which must be
// allowed.
func (s *Standard) data(d scheme.Dial, a netip.AddrPort) error {
	peer := unmap(d.Peer)
	if !peer.IsValid() || a.Addr() != peer.Addr() {
		return refuseAddr(d, a, "a data connection must go to the address of its control connection, %s", peer.Addr())
	}
	if a.Port() == 0 {
		return refuseAddr(d, a, "port 0 is not valid")
	}
	return s.address(d, peer)
}

// address checks an address against Options.Addresses.
func (s *Standard) address(d scheme.Dial, a netip.AddrPort) error {
	if s.opt.Addresses == Any || Public(a.Addr()) || slices.Contains(s.opt.AllowAddrs, a) || contains(s.opt.AllowNets, a.Addr()) {
		return nil
	}
	return hint.On(hint.AllowNets+"="+a.Addr().String(), refuseAddr(d, a, "%s, and only public addresses are allowed", class(a.Addr())))
}

// denied returns the network of Options.DenyNets that contains a, or the IPv4 address inside it.
func (s *Standard) denied(a netip.Addr) (netip.Prefix, bool) {
	for _, p := range s.opt.DenyNets {
		if contains([]netip.Prefix{p}, a) {
			return p, true
		}
	}
	if inner, ok := hostaddr.Embedded(a.WithZone("")); ok {
		return s.denied(inner)
	}
	return netip.Prefix{}, false
}

// contains reports whether a network contains an address, whatever its zone.
func contains(nets []netip.Prefix, a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(nets, func(p netip.Prefix) bool { return p.Contains(a) })
}

// normalize converts networks of IPv4-mapped IPv6 addresses to IPv4. It panics if a prefix is not
// valid: a network that nothing is in would deny nothing.
func normalize(nets []netip.Prefix) {
	for i, p := range nets {
		switch {
		case !p.IsValid():
			panic("policy: a prefix in Options is not valid")
		case p.Addr().Is4In6() && p.Bits() >= 96:
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		nets[i] = p.Masked()
	}
}

// class describes an address that is not public.
func class(a netip.Addr) string {
	name, _ := hostaddr.Class(a)
	return "it is not public (" + name + ")"
}

// refuseAddr returns an error that names the refused address and the host it was resolved from.
func refuseAddr(d scheme.Dial, a netip.AddrPort, why string, args ...any) *scheme.Error {
	shown := wire.Escape(a.String())
	if d.Addr != "" && d.Addr != a.String() {
		shown += " (for " + wire.Escape(shorten(d.Addr)) + ")"
	}
	return scheme.Fail(scheme.CodeRefused, "the address %s is refused: "+why, append([]any{shown}, args...)...)
}

// unmap converts an IPv4-mapped IPv6 address to IPv4.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
