package policy

import (
	"net/netip"
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// Addresses selects the addresses that may be connected to (P5).
type Addresses uint8

// The modes of the flag --addresses.
const (
	Any        Addresses = iota // all unicast addresses
	PublicOnly                  // addresses for which [Public] returns true
)

// Options configure the standard policy. The zero value is the policy of the command line without flags.
type Options struct {
	Schemes    []string         // the allowed schemes, in lower case; nil allows all
	AllowPorts []uint16         // additional ports that every scheme may use (P1)
	Addresses  Addresses        // which addresses may be connected to
	AllowAddrs []netip.AddrPort // additional addresses that are allowed if Addresses is PublicOnly

	// OwnPorts are the well-known ports of schemes that package locator does not know, by scheme: [locator.Syntax].Ports of
	// each additional scheme.
	OwnPorts map[string][]uint16

	// AllowDowngrade allows a redirect from TLS to an unencrypted connection, such as https to http.
	AllowDowngrade bool
}

// Standard is the standard policy. It is immutable.
type Standard struct {
	opt Options
}

// New returns a standard policy. It copies the slices and maps in opt.
func New(opt Options) *Standard {
	opt.Schemes = slices.Clone(opt.Schemes)
	opt.AllowPorts = slices.Clone(opt.AllowPorts)
	opt.AllowAddrs = slices.Clone(opt.AllowAddrs)
	for i, a := range opt.AllowAddrs {
		opt.AllowAddrs[i] = unmap(a)
	}
	own := opt.OwnPorts
	opt.OwnPorts = make(map[string][]uint16, len(own))
	for name, ports := range own {
		opt.OwnPorts[strings.ToLower(name)] = slices.Clone(ports)
	}
	return &Standard{opt: opt}
}

// URL implements Policy. It refuses a scheme that is not allowed, an invalid host or port (RFC 1738 3.1), a port of another
// protocol, encoded delimiters in a command (RFC 1738 6), and these hops: to a file URL, a redirect to another protocol or
// from TLS to no TLS, and to a filled form. The code is CodeRefused. It does not count hops; see [scheme.Limits].
func (s *Standard) URL(u locator.URL, h scheme.Hop) error {
	if u.IsZero() {
		return scheme.Fail(scheme.CodeRefused, "no URL given")
	}
	for _, check := range []func(locator.URL, scheme.Hop) error{s.scheme, s.host, s.hop, s.parts} {
		if err := check(u, h); err != nil {
			return err
		}
	}
	return nil
}

func (s *Standard) scheme(u locator.URL, _ scheme.Hop) error {
	if s.opt.Schemes == nil || slices.Contains(s.opt.Schemes, u.Scheme()) {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "the scheme %s is not allowed; allowed schemes: %s", u.Scheme(), strings.Join(s.opt.Schemes, ", "))
}

// host checks host and port.
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
		return scheme.Fail(scheme.CodeRefused, "port %s is not valid; ports are 1 to 65535", shorten(u.Port()))
	}
	return nil
}

// shorten truncates a part of a URL for an error message.
func shorten(text string) string {
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}
