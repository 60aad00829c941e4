package policy

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"locator/internal/hostaddr"
	"locator/scheme"
	"locator/wire"
)

// Addr is net 2: it judges the address that is about to be connected to, whatever name led to it. The error has the
// code Refused.
//
// In any mode it refuses what is no unicast address, port 0, the ports that net 1 refuses to the scheme, a step from a
// public to a private address, and a data connection to any other address than that of the control connection (RFC
// 1738 6). Data connections may go to any port of the control peer, which chooses it.
func (s *Standard) Addr(d scheme.Dial, a netip.AddrPort) error {
	a = unmap(a)
	if why := hostaddr.NotUnicast(a.Addr().WithZone("")); why != "" {
		return refuseAddr(d, a, "%s", why)
	}
	if d.Purpose == scheme.ForProxy { // the user's own choice, whatever its address and port
		if a.Port() == 0 {
			return refuseAddr(d, a, "port 0 is no port")
		}
		return nil
	}
	if d.FromPublic && !Public(a.Addr()) {
		return refuseAddr(d, a, "%s, and a public address led there; access its URL itself if it is meant", class(a.Addr()))
	}
	if d.Purpose == scheme.ForData {
		return s.data(d, a)
	}
	if err := s.port(d.Scheme, a.Port()); err != nil {
		return err
	}
	return s.address(d, a)
}

// Proxied judges a name that a proxy will resolve (P5). Its address cannot be judged: so it is refused where only public
// ones are allowed, and so is a name of the proxy's own machine that a public address led to.
func (s *Standard) Proxied(d scheme.Dial) error {
	host, port, err := net.SplitHostPort(d.Addr)
	n, err2 := strconv.ParseUint(port, 10, 16)
	if err != nil || err2 != nil {
		return scheme.Fail(scheme.CodeRefused, "%s is no address", wire.Escape(shorten(d.Addr)))
	}
	if d.Purpose != scheme.ForData { // that goes where the control connection went, to any port
		err = s.port(d.Scheme, uint16(n))
	} else if n == 0 {
		err = scheme.Fail(scheme.CodeRefused, "%s: port 0 is no port", wire.Escape(shorten(d.Addr)))
	}
	if err != nil {
		return err
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	switch {
	case s.opt.Addresses == PublicOnly:
		return scheme.Fail(scheme.CodeRefused, "the name %s would be resolved by a proxy, and only public addresses are allowed here: its address cannot be judged; "+
			"leave the proxy out, or allow addresses any", wire.Escape(shorten(host)))
	case d.FromPublic && (host == "localhost" || strings.HasSuffix(host, ".localhost")):
		return scheme.Fail(scheme.CodeRefused, "a public address led to %s, which is the proxy's own machine; access its URL itself if it is meant", wire.Escape(shorten(host)))
	}
	return nil
}

// data judges a second connection: it goes where the first one went, and the first one might go there.
func (s *Standard) data(d scheme.Dial, a netip.AddrPort) error {
	peer := unmap(d.Peer)
	if !peer.IsValid() || a.Addr() != peer.Addr() {
		return refuseAddr(d, a, "the control connection goes to %s, and a data connection goes nowhere else", peer.Addr())
	}
	if a.Port() == 0 {
		return refuseAddr(d, a, "port 0 is no port")
	}
	return s.address(d, peer)
}

// address judges an address by the mode.
func (s *Standard) address(d scheme.Dial, a netip.AddrPort) error {
	if s.opt.Addresses == Any || Public(a.Addr()) || slices.Contains(s.opt.AllowAddrs, a) {
		return nil
	}
	return refuseAddr(d, a, "%s, and only public addresses are allowed here; allow it with addresses any", class(a.Addr()))
}

// class is a sentence on an address that is not public.
func class(a netip.Addr) string {
	name, rfc := Class(a)
	if rfc != "" {
		name += ", " + rfc
	}
	return "it is not public (" + name + ")"
}

// refuseAddr says which address is refused, and what led there.
func refuseAddr(d scheme.Dial, a netip.AddrPort, why string, args ...any) error {
	shown := wire.Escape(a.String())
	if d.Addr != "" && d.Addr != a.String() {
		shown += " (for " + wire.Escape(shorten(d.Addr)) + ")"
	}
	return scheme.Fail(scheme.CodeRefused, "the address %s is refused: "+why, append([]any{shown}, args...)...)
}

// unmap gives an IPv4 address in its own form.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
