package policy_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"locator"
	"locator/internal/hostaddr"
	"locator/policy"
	"locator/scheme"
	"locator/vet"
)

// agree checks that vet and policy agree about the host of an http URL with its default port.
func agree(t *testing.T, u locator.URL) {
	t.Helper()
	// The findings about which host it is, and not about how it is written.
	about := []string{"no-address", "numeric-host", "unusable-address", "local-address", "special-address", "single-label"}
	any, public := policy.New(policy.Options{}), policy.New(policy.Options{Addresses: policy.PublicOnly})
	found, danger := false, false
	for _, f := range vet.URL(u) {
		if slices.Contains(about, f.Code) {
			found, danger = true, danger || f.Severity == vet.SeverityDanger
		}
	}
	refused := public.Check(u)
	if addr, ok := u.Addr(); refused == nil && ok && !hostaddr.Read(u.ASCIIHost()).Addr.IsValid() { // a name, as far as it tells
		refused = any.Proxied(scheme.Dial{Scheme: "http", Addr: addr, FromPublic: true})
	}
	if found != (refused != nil) || danger != (any.Check(u) != nil) {
		t.Errorf("%s: findings %v; the policy refuses it: %v, in any mode: %v", u.Text(), vet.URL(u), refused, any.Check(u))
	}
}

// FuzzPolicyAndVet looks for hosts about which policy and vet do not agree.
func FuzzPolicyAndVet(f *testing.F) {
	for _, host := range []string{"127.0.0.1", "[::ffff:1.2.3.4]", "localhost.", "0x7f.1", "a.local", "%31.2.3.4", "h", "１.2.3.4", "[64:ff9b::1]", "1.2.3.4..", "..", "a..b", "A0.."} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		u, err := locator.Current.Parse("http://" + host + "/")
		if path, _ := u.Path(); err == nil && path == "" && u.Port() == "" {
			agree(t, u)
		}
	})
}

// What the policy refuses where only public addresses are allowed has a finding, what it refuses in any mode is a danger, and nothing
// else has one: both read hosts and know special addresses in the same way.
//
// Covers: P5, S4, T206
func TestPolicyAndVetAgree(t *testing.T) {
	t.Parallel()
	check := func(host string) { agree(t, current(t, "http://"+host+"/")) }
	for _, host := range []string{
		// addresses of this machine and of networks, in all spellings
		"127.0.0.1", "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0.1.2.3", "localhost", "localhost.", "LOCALHOST", "foo.localhost", "foo.localhost.",
		"10.0.0.1", "172.16.0.1", "172.15.0.1", "172.32.0.1", "192.168.1.1", "100.64.0.1", "100.100.100.200", "169.254.169.254", "169.254.170.2",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[::169.254.169.254]", "[::a9fe:a9fe]", "[::8.8.8.8]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::8.8.8.8]", "[64:ff9b:1::a9fe:a9fe]", "[64:ff9b:1::808:808]",
		"[2002:a00:1::1]", "[2002:808:808::1]", "[2001:0:1:2:3:4:f5ff:fffe]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]",
		// special ones
		"192.0.0.192", "192.0.0.9", "192.0.0.170", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "198.20.0.1",
		"192.88.99.1", "192.31.196.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.254", "255.255.255.255", "168.63.129.16",
		"[100::1]", "[2001:db8::1]", "[2001:2::1]", "[3fff::1]", "[5f00::1]", "[4000::1]", "[2606:4700::1111]", "[::2]",
		// names
		"intranet", "metadata", "ftp", "intranet.", "metadata.google.internal", "printer.local", "nas.lan", "x.corp", "host.home.arpa", "h.example", "h.example.",
		"localhost.example", "localdomain.example",
		// numbers
		"2130706433", "0x7f000001", "0x7f.1", "127.1", "017700000001", "1.2.3.256", "8.8.8.8", "8.8.8.8..", "1.2.3.4.5", "127.0.0.%31", "%31%32%37.0.0.1",
	} {
		check(host)
	}
	for _, c := range blockCases {
		p := netip.MustParsePrefix(c.block)
		for _, a := range []netip.Addr{p.Addr(), p.Addr().Next(), p.Addr().Prev()} {
			switch {
			case !a.IsValid():
			case a.Is4():
				check(a.String())
			default:
				check("[" + a.String() + "]")
			}
		}
	}
}

// The ports that the policy refuses to a scheme are dangers, and no others are.
//
// Covers: P1
func TestPolicyAndVetAgreeOnPorts(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	ports := []int{0, 65535, 65536}
	for port := range 1100 {
		ports = append(ports, port)
	}
	for _, port := range fetchBadPorts {
		ports = append(ports, int(port))
	}
	asked := 0
	for _, s := range locator.Schemes() {
		if len(s.Ports) == 0 {
			continue
		}
		for _, port := range ports {
			u, err := locator.Current.Parse(fmt.Sprintf("%s://8.8.8.8:%d/x", s.Name, port))
			if err != nil {
				continue
			}
			asked++
			danger := slices.ContainsFunc(vet.URL(u), func(f vet.Finding) bool { return f.Severity == vet.SeverityDanger })
			if refused := p.URL(u, direct); danger != (refused != nil) {
				t.Errorf("%s: danger %v, the policy: %v", u.Text(), danger, refused)
			}
		}
	}
	if asked < 10_000 {
		t.Errorf("only %d URLs", asked)
	}
}
