package policy

import (
	"net/netip"
	"time"

	"locator"
	"locator/scheme"
)

// Strangers returns a policy for programs that access URLs chosen by strangers: link previews,
// webhooks, feed readers, crawlers. It prevents server-side request forgery (SSRF), and bounds what
// one URL can cost:
//
//	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers()})
//
// It allows connections to public addresses only, by the schemes http, https, ftp, ftps, gopher,
// gophers, nntp, nntps, prospero and wais, as far as they are registered. These only read from the
// server that the URL names. All but http and https may connect to the ports of their own protocol
// only; ftp gets the port of a data connection from the server. It allows no file URLs, no filled
// forms and no logins from netrc or any other source, and no redirect from TLS to clear text. It
// sets all limits, also for the time of an operation.
//
// To change a setting, such as to allow one's own network, change its Options:
//
//	o := policy.Strangers().Options()
//	o.AllowNets = []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}
//	c := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o)})
func Strangers() *Standard {
	defaults := scheme.Limits{}.WithDefaults()
	return New(Options{
		Schemes:   []string{"http", "https", "ftp", "ftps", "gopher", "gophers", "nntp", "nntps", "prospero", "wais"},
		Addresses: PublicOnly,
		OwnPorts:  true,
		NoForms:   true,
		NoLogins:  true,
		Limits: scheme.Limits{
			Idle: 10 * time.Second, Line: defaults.Line, Header: 64 << 10,
			Entries: 10_000, Listing: 4 << 20, Body: 64 << 20, Hops: defaults.Hops, Time: time.Minute,
		},
	})
}

// Check returns the error that an access to u gets before it connects to anything, as far as that
// is known without looking up a name: that of [Standard.URL] or, if the host is an address, that of
// [Standard.Addr].
func (s *Standard) Check(u locator.URL) error {
	if err := s.URL(u, scheme.Hop{}); err != nil {
		return err
	}
	u, err := withHost(u)
	if err != nil {
		return err
	}
	host, ok := u.Addr()
	a := hostAddr(u)
	if !ok || !a.IsValid() || u.Scheme() == "file" {
		return nil
	}
	port, _ := u.PortNumber()
	return s.Addr(scheme.Dial{Scheme: u.Scheme(), Addr: host}, netip.AddrPortFrom(a, port))
}
