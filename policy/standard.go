package policy

import (
	"net/netip"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// Addresses says which addresses may be connected to (P5).
type Addresses uint8

// The modes of the flag --addresses.
const (
	Any        Addresses = iota // every unicast address
	PublicOnly                  // those for which [Public] is true
)

// Options configure the standard policy. The zero value is the policy of the command line without flags.
type Options struct {
	Schemes    []string         // the allowed schemes, in lower case; all where nil
	AllowPorts []uint16         // ports that are allowed to every scheme, beside those that P1 gives it
	Addresses  Addresses        // which addresses may be connected to
	AllowAddrs []netip.AddrPort // exactly these are allowed besides where Addresses is PublicOnly

	// OwnPorts are the well-known ports of schemes that package locator does not know, which are then no foreign ports
	// to them: those of [locator.Syntax].Ports of every further scheme.
	OwnPorts map[string][]uint16

	// MaxHops is how long a chain of redirects and referrals may be; scheme.DefaultHops where 0.
	MaxHops int

	// AllowDowngrade allows a redirect from TLS to a connection in the clear, such as https to http. Without it that is
	// refused: who asked for TLS did not ask for what anybody on the way may have changed.
	AllowDowngrade bool

	// RefuseForms refuses URLs that hold a filled Gopher+ form (RFC 1738 3.4.9) from everyone. They are always refused
	// where a peer named them.
	RefuseForms bool
}

// Standard is the standard policy. It never changes.
type Standard struct {
	opt Options
}

// New makes a standard policy. It keeps no reference to what is in opt.
func New(opt Options) *Standard {
	opt.Schemes = slices.Clone(opt.Schemes)
	opt.AllowPorts = slices.Clone(opt.AllowPorts)
	if opt.MaxHops == 0 {
		opt.MaxHops = scheme.DefaultHops
	}
	addrs := make([]netip.AddrPort, len(opt.AllowAddrs))
	for i, a := range opt.AllowAddrs {
		addrs[i] = unmap(a)
	}
	opt.AllowAddrs = addrs
	own := make(map[string][]uint16, len(opt.OwnPorts))
	for name, ports := range opt.OwnPorts {
		own[strings.ToLower(name)] = slices.Clone(ports)
	}
	opt.OwnPorts = own
	return &Standard{opt: opt}
}

// URL is net 1. It refuses a scheme that is not allowed, a host or port that is none (RFC 1738 3.1), a port of another
// protocol and encoded delimiters in what becomes a command (RFC 1738 6), and hops that no peer may ask for: to file:,
// by redirect to another family of schemes or from TLS to the clear, with a filled form, or one too many. The last has
// the code Protocol, all others Refused.
func (s *Standard) URL(u locator.URL, h scheme.Hop) error {
	if u.IsZero() {
		return scheme.Fail(scheme.CodeRefused, "there is no URL to judge")
	}
	for _, net := range []func(locator.URL, scheme.Hop) error{s.scheme, s.host, s.hop, s.parts} {
		if err := net(u, h); err != nil {
			return err
		}
	}
	return nil
}

func (s *Standard) scheme(u locator.URL, _ scheme.Hop) error {
	if s.opt.Schemes == nil || slices.Contains(s.opt.Schemes, u.Scheme()) {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "the scheme %s is not allowed here; allowed are: %s", u.Scheme(), strings.Join(s.opt.Schemes, ", "))
}

// host judges host and port.
func (s *Standard) host(u locator.URL, _ scheme.Hop) error {
	if !u.HasHost() {
		return nil
	}
	if err := checkHost(u.ASCIIHost()); err != nil {
		return err
	}
	port, ok := u.PortNumber()
	switch {
	case ok && u.Port() != "":
		return s.port(u.Scheme(), port)
	case u.Port() != "":
		return scheme.Fail(scheme.CodeRefused, "port %s is no port: ports are 1 to 65535 (RFC 1738 3.1)", shorten(u.Port()))
	}
	return nil
}

// shorten keeps a message short, whatever the length of a part.
func shorten(text string) string {
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}
