package policy_test

import (
	"net/netip"
	"strings"
	"testing"

	"locator/internal/hostaddr"
	"locator/policy"
)

// blockCases has each block of the registries. public has a letter for the address before the
// block, the first, the last, and the address after it: P is public, - is not.
var blockCases = []struct{ block, name, rfc, public string }{
	{"0.0.0.0/32", `"This host on this network"`, "RFC 1122 3.2.1.3", " ---"},
	{"0.0.0.0/8", `"This network"`, "RFC 791 3.2", " --P"},
	{"10.0.0.0/8", "Private-Use", "RFC 1918", "P--P"},
	{"100.64.0.0/10", "Shared Address Space", "RFC 6598", "P--P"},
	{"127.0.0.0/8", "Loopback", "RFC 1122 3.2.1.3", "P--P"},
	{"169.254.0.0/16", "Link Local", "RFC 3927", "P--P"},
	{"172.16.0.0/12", "Private-Use", "RFC 1918", "P--P"},
	{"192.0.0.0/24", "IETF Protocol Assignments", "RFC 6890 2.1", "P--P"},
	{"192.0.0.0/29", "IPv4 Service Continuity Prefix", "RFC 7335", "P---"},
	{"192.0.0.8/32", "IPv4 dummy address", "RFC 7600", "---P"},
	{"192.0.0.9/32", "Port Control Protocol Anycast", "RFC 7723", "-PPP"},
	{"192.0.0.10/32", "Traversal Using Relays around NAT Anycast", "RFC 8155", "PPP-"},
	{"192.0.0.170/32", "NAT64/DNS64 Discovery", "RFC 8880", "----"},
	{"192.0.0.171/32", "NAT64/DNS64 Discovery", "RFC 8880", "----"},
	{"192.0.2.0/24", "Documentation (TEST-NET-1)", "RFC 5737", "P--P"},
	{"192.31.196.0/24", "AS112-v4", "RFC 7535", "PPPP"},
	{"192.52.193.0/24", "AMT", "RFC 7450", "PPPP"},
	{"192.88.99.0/24", "Deprecated (6to4 Relay Anycast)", "RFC 7526", "P--P"},
	{"192.88.99.2/32", "6a44-relay anycast address", "RFC 6751", "----"},
	{"192.168.0.0/16", "Private-Use", "RFC 1918", "P--P"},
	{"192.175.48.0/24", "Direct Delegation AS112 Service", "RFC 7534", "PPPP"},
	{"198.18.0.0/15", "Benchmarking", "RFC 2544", "P--P"},
	{"198.51.100.0/24", "Documentation (TEST-NET-2)", "RFC 5737", "P--P"},
	{"203.0.113.0/24", "Documentation (TEST-NET-3)", "RFC 5737", "P--P"},
	{"224.0.0.0/4", "Multicast", "RFC 5771", "P---"},
	{"240.0.0.0/4", "Reserved", "RFC 1112 4", "--- "},
	{"255.255.255.255/32", "Limited Broadcast", "RFC 8190", "--- "},

	{"::/128", "Unspecified Address", "RFC 4291", " ---"},
	{"::1/128", "Loopback Address", "RFC 4291", "----"},
	{"64:ff9b:1::/48", "IPv4-IPv6 Translation", "RFC 8215", "----"},
	{"100::/64", "Discard-Only Address Block", "RFC 6666", "----"},
	{"100:0:0:1::/64", "Dummy IPv6 Prefix", "RFC 9780", "----"},
	{"2000::/3", "", "", "-PP-"}, // 3fff:ffff:: follows the block for documentation, 4000:: is reserved
	{"2001::/23", "IETF Protocol Assignments", "RFC 2928", "P--P"},
	{"2001::/32", "TEREDO", "RFC 4380", "P---"},
	{"2001:1::1/128", "Port Control Protocol Anycast", "RFC 7723", "-PPP"},
	{"2001:1::2/128", "Traversal Using Relays around NAT Anycast", "RFC 8155", "PPPP"},
	{"2001:1::3/128", "DNS-SD Service Registration Protocol Anycast", "RFC 9665", "PPP-"},
	{"2001:2::/48", "Benchmarking", "RFC 5180", "----"},
	{"2001:3::/32", "AMT", "RFC 7450", "-PP-"},
	{"2001:4:112::/48", "AS112-v6", "RFC 7535", "-PP-"},
	{"2001:10::/28", "Deprecated (previously ORCHID)", "RFC 4843", "---P"},
	{"2001:20::/28", "ORCHIDv2", "RFC 7343", "-PPP"},
	{"2001:30::/28", "Drone Remote ID Protocol Entity Tags (DETs) Prefix", "RFC 9374", "PPP-"},
	{"2001:db8::/32", "Documentation", "RFC 3849", "P--P"},
	{"2002::/16", "6to4", "RFC 3056", "P--P"},
	{"2620:4f:8000::/48", "Direct Delegation AS112 Service", "RFC 7534", "PPPP"},
	{"3ffe::/16", "Deprecated (previously 6bone)", "RFC 3701", "P---"},
	{"3fff::/20", "Documentation", "RFC 9637", "---P"},
	{"5f00::/16", "Segment Routing (SRv6) SIDs", "RFC 9602", "----"},
	{"fc00::/7", "Unique-Local", "RFC 4193", "----"},
	{"fe80::/10", "Link-Local Unicast", "RFC 4291", "----"},
	{"fec0::/10", "Deprecated (site-local)", "RFC 3879", "----"},
	{"ff00::/8", "Multicast", "RFC 4291", "--- "},
}

// last is the last address of a block.
func last(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < 8*len(b); i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

// Covers: P5, T167
func TestBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range blockCases {
		p := netip.MustParsePrefix(c.block)
		for i, a := range []netip.Addr{p.Addr().Prev(), p.Addr(), last(p), last(p).Next()} {
			if a.IsValid() != (c.public[i] != ' ') {
				t.Fatalf("%s: address %d is %v", c.block, i, a)
			}
			if !a.IsValid() {
				continue
			}
			if got := policy.Public(a); got != (c.public[i] == 'P') {
				t.Errorf("%s: Public(%v) = %v", c.block, a, got)
			}
			// The same address in other forms.
			if zoned := a.WithZone("lo"); policy.Public(zoned) != (c.public[i] == 'P') {
				t.Errorf("%s: Public(%v) is another", c.block, zoned)
			}
			if a.Is4() {
				mapped := netip.AddrFrom16(a.As16())
				if policy.Public(mapped) != (c.public[i] == 'P') {
					t.Errorf("%s: Public(%v) is another", c.block, mapped)
				}
				b := netip.MustParseAddr("64:ff9b::").As16()
				copy(b[12:], a.AsSlice())
				if nat64 := netip.AddrFrom16(b); policy.Public(nat64) != (c.public[i] == 'P') {
					t.Errorf("%s: Public(%v) is another", c.block, nat64)
				}
			}
		}
	}
}

// Covers: P5
func TestClass(t *testing.T) {
	t.Parallel()
	for _, c := range blockCases {
		p := netip.MustParsePrefix(c.block)
		a := p.Addr()
		if c.block == "0.0.0.0/8" || c.block == "192.0.0.0/24" || c.block == "2001::/23" { // a smaller block starts there
			a = last(p)
		}
		name, rfc := hostaddr.Class(a)
		if first, _, _ := strings.Cut(name, " of "); first != c.name && name != c.name || rfc != c.rfc {
			t.Errorf("Class(%v) = %q, %q, want %q, %q", a, name, rfc, c.name, c.rfc)
		}
	}
	for text, want := range map[string]string{
		"8.8.8.8":              "",
		"::ffff:8.8.8.8":       "",
		"::ffff:10.0.0.1":      "Private-Use",
		"64:ff9b::8.8.8.8":     "IPv4-IPv6 Translation",
		"64:ff9b::10.0.0.1":    "IPv4-IPv6 Translation of 10.0.0.1: Private-Use",
		"64:ff9b:1::127.0.0.1": "IPv4-IPv6 Translation of 127.0.0.1: Loopback",
		"2002:c0a8:101::1":     "6to4 of 192.168.1.1: Private-Use",
		"2002:808:808::1":      "6to4",
		"2001::f5ff:fffe":      "TEREDO of 10.0.0.1: Private-Use",
		"::127.0.0.1":          "Reserved by IETF of 127.0.0.1: Loopback",
		"::2":                  "Reserved by IETF",
		"::ffff:0:127.0.0.1":   "Reserved by IETF",
		"4000::":               "Reserved by IETF",
		"fe80::1%lo":           "Link-Local Unicast",
	} {
		if name, _ := hostaddr.Class(netip.MustParseAddr(text)); name != want {
			t.Errorf("Class(%s) = %q, want %q", text, name, want)
		}
	}
	if name, rfc := hostaddr.Class(netip.Addr{}); name != "no address" || rfc != "" || policy.Public(netip.Addr{}) {
		t.Errorf("no address is %q, %q", name, rfc)
	}
}

// FuzzPublic checks that all forms of an address have the same result, and that an address that is
// not public has a class.
//
// Covers: P5, T167
func FuzzPublic(f *testing.F) {
	for _, c := range blockCases {
		f.Add(netip.MustParsePrefix(c.block).Addr().AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		public := policy.Public(a)
		if a.Is4() && public != policy.Public(netip.AddrFrom16(a.As16())) {
			t.Errorf("%v and its mapped form differ", a)
		}
		if name, rfc := hostaddr.Class(a); !public && (name == "" || rfc == "") {
			t.Errorf("%v is not public and has no class", a)
		}
		if public && (!a.IsGlobalUnicast() || a.IsPrivate()) {
			t.Errorf("%v is public", a)
		}
	})
}
