package policy

import (
	"net/netip"
	"slices"
	"strings"

	"locator"
	"locator/repair"
	"locator/scheme"
)

// Addresses selects the addresses that may be connected to.
type Addresses uint8

// The modes of the flag --addresses.
const (
	Any        Addresses = iota // all unicast addresses
	PublicOnly                  // addresses for which [Public] returns true
)

// Options configure the standard policy. The zero value is the policy of the command line without
// flags.
type Options struct {
	// Schemes are the allowed schemes, in lower case. Nil allows all, except file if Addresses is
	// PublicOnly.
	Schemes    []string
	AllowPorts []uint16         // additional ports that every scheme may use
	Addresses  Addresses        // which addresses may be connected to
	AllowAddrs []netip.AddrPort // additional addresses that are allowed if Addresses is PublicOnly

	// AllowNets are networks that are allowed as if they were public. An IPv6 address that contains
	// an IPv4 address of such a network is not in it.
	AllowNets []netip.Prefix
	// DenyNets are networks that are refused, also if AllowNets contains them. An IPv6 address that
	// contains an IPv4 address of such a network is refused, too. Names that a proxy resolves are
	// refused, since their addresses cannot be checked.
	DenyNets []netip.Prefix

	// OwnPorts refuses all ports but those of the scheme's own protocol ([locator.Syntax].Ports)
	// and AllowPorts, to every scheme but http and https. Otherwise URLs may use most ports from
	// 1024 up. The ports of data connections and of configured servers are not limited by it.
	OwnPorts bool

	// AllowDowngrade allows a redirect from TLS to an unencrypted connection, such as https to
	// http.
	AllowDowngrade bool
	// NoForms refuses filled forms (RFC 1738 3.4.9). Otherwise they are refused only after a hop.
	NoForms bool
	// NoLogins is for URLs that the user did not choose: the client asks no source of logins, and
	// treats its own header lines as it does after a hop to another server.
	NoLogins bool
	// Limits are those of a client. They apply where client.Options and the request set none.
	Limits scheme.Limits
}

// Standard is the standard policy. It is immutable. The zero Standard is that of the zero Options.
type Standard struct {
	opt Options
}

// New returns a standard policy. It copies the slices and maps in opt. It panics if a prefix in opt
// is not valid.
func New(opt Options) *Standard {
	opt = opt.clone()
	for i, a := range opt.AllowAddrs {
		opt.AllowAddrs[i] = unmap(a)
	}
	normalize(opt.AllowNets)
	normalize(opt.DenyNets)
	return &Standard{opt: opt}
}

// Options returns the options of s, to make another policy from.
func (s *Standard) Options() Options { return s.opt.clone() }

// Limits implements Policy. It returns Options.Limits.
func (s *Standard) Limits() scheme.Limits { return s.opt.Limits }

// UsesLogins implements Policy. It returns false if Options.NoLogins is true.
func (s *Standard) UsesLogins() bool { return !s.opt.NoLogins }

// clone returns a deep copy of o.
func (o Options) clone() Options {
	o.Schemes = slices.Clone(o.Schemes)
	o.AllowPorts = slices.Clone(o.AllowPorts)
	o.AllowAddrs = slices.Clone(o.AllowAddrs)
	o.AllowNets = slices.Clone(o.AllowNets)
	o.DenyNets = slices.Clone(o.DenyNets)
	return o
}

// URL implements Policy. It refuses a scheme that is not allowed, an invalid host or port (RFC 1738
// 3.1), a port of another protocol, encoded delimiters in a command (RFC 1738 6), and these hops:
// to a file URL, a redirect to another protocol or from TLS to no TLS, and to a filled form. The
// code is CodeRefused. It does not count hops; see [scheme.Limits].
//
// A URL that [locator.RFC1738] parsed is judged as [locator.Current] parses it if only that finds a
// host, as in "https://0x7f.1/".
func (s *Standard) URL(u locator.URL, h scheme.Hop) error {
	if u.IsZero() {
		return scheme.Fail(scheme.CodeRefused, "no URL given")
	}
	u, err := withHost(u)
	if err != nil {
		return err
	}
	for _, check := range []func(locator.URL, scheme.Hop) error{s.scheme, s.host, s.hop, s.parts} {
		if err := check(u, h); err != nil {
			return err
		}
	}
	return nil
}

// withHost returns the reading of u that has its host and port. RFC 1738 has no rule for https and
// unknown schemes: in their URLs it finds no default port, and some hosts not at all. The receiver
// of the text does.
func withHost(u locator.URL) (locator.URL, error) {
	if _, ok := u.PortNumber(); u.HasHost() && ok || !strings.HasPrefix(u.SchemePart(), "//") {
		return u, nil
	}
	later, err := locator.Current.Parse(u.Text())
	switch {
	case err != nil && u.HasHost():
		return u, nil
	case err != nil:
		return u, scheme.Fail(scheme.CodeRefused, "the host cannot be checked: %w", repair.Suggest(locator.Current, u.Text(), err))
	}
	return later, nil
}

func (s *Standard) scheme(u locator.URL, _ scheme.Hop) error {
	switch {
	case slices.Contains(s.opt.Schemes, u.Scheme()):
		return nil
	case s.opt.Schemes == nil && s.opt.Addresses == PublicOnly && u.Scheme() == "file":
		return scheme.Fail(scheme.CodeRefused, "only public addresses are allowed, and a file URL names a local file; to access it, allow any addresses")
	case s.opt.Schemes == nil:
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "the scheme %s is not allowed; allowed schemes: %s", u.Scheme(), strings.Join(s.opt.Schemes, ", "))
}

// host checks host and port.
func (s *Standard) host(u locator.URL, h scheme.Hop) error {
	if !u.HasHost() {
		return nil
	}
	if err := checkHost(u.ASCIIHost()); err != nil {
		return err
	}
	port, ok := u.PortNumber()
	switch {
	case ok && u.Port() != "":
		return s.port(u.Scheme(), h.Ports, port)
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
