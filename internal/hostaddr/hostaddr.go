package hostaddr

import (
	"net/netip"
	"strconv"
	"strings"
)

// Kind says what a host is.
type Kind uint8

// The kinds of hosts.
const (
	Name     Kind = iota // a name, or nothing
	Address              // an address: four decimal groups or an IPv6 literal
	BadGroup             // four digit groups of which one is over 255: neither an address nor a name
	Numeric              // it ends in a number but is not an address: some resolvers take it for one
	BadIPv6              // a literal in brackets that is not an IPv6 address
	Zoned                // an IPv6 literal that names an interface of this machine
)

// Host is a host as it was read.
type Host struct {
	Kind   Kind
	Addr   netip.Addr // of an Address, and of a Zoned one
	Groups []string   // the four digit groups as written; nil where there are none
	Bad    string     // of BadGroup: the first group over 255
}

// Read reads a host in the form that is looked up. The dot that ends an absolute name is not part
// of an address. Groups are decimal, whatever their leading zeros say to other programs.
func Read(host string) Host {
	if literal, ok := strings.CutPrefix(host, "["); ok {
		a, err := netip.ParseAddr(strings.TrimSuffix(literal, "]"))
		switch {
		case err != nil || !a.Is6():
			return Host{Kind: BadIPv6}
		case a.Zone() != "":
			return Host{Kind: Zoned, Addr: a}
		}
		return Host{Kind: Address, Addr: a}
	}
	groups := strings.Split(strings.TrimRight(host, "."), ".")
	if !isNumber(groups[len(groups)-1]) {
		return Host{}
	}
	if len(groups) != 4 || strings.HasSuffix(host, "..") {
		return Host{Kind: Numeric}
	}
	h := Host{Kind: Address, Groups: groups}
	var a [4]byte
	for i, group := range groups {
		if group == "" || strings.Trim(group, "0123456789") != "" {
			return Host{Kind: Numeric}
		}
		n, err := strconv.ParseUint(group, 10, 8)
		if err != nil && h.Kind == Address {
			h.Kind, h.Bad = BadGroup, group
		}
		a[i] = byte(n)
	}
	if h.Kind == Address {
		h.Addr = netip.AddrFrom4(a)
	}
	return h
}

// Same reports whether two hosts are the same: the same name, or the same address in any spelling.
// The brackets of an IPv6 address may be missing.
func Same(a, b string) bool {
	a, b = strings.Trim(a, "[]"), strings.Trim(b, "[]")
	if strings.EqualFold(a, b) {
		return true
	}
	x, y := address(a), address(b)
	return x.IsValid() && x == y
}

// address reads a host without brackets as an address. It returns the zero Addr for a name.
func address(host string) netip.Addr {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if h := Read(host); h.Kind == Address {
		return h.Addr.Unmap()
	}
	return netip.Addr{}
}

// isNumber reports whether a label is a number to any resolver: in decimal, octal or hexadecimal.
func isNumber(label string) bool {
	if len(label) >= 2 && label[0] == '0' && label[1]|0x20 == 'x' {
		return strings.Trim(label[2:], "0123456789abcdefABCDEF") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// Loose reads a host as the C function inet_aton does: up to four numbers, decimal, octal or
// hexadecimal, of which the last fills the rest of the address. ok is false if it would find no
// address.
func Loose(host string) (a netip.Addr, ok bool) {
	groups := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(groups) > 4 {
		return a, false
	}
	var address uint64
	for i, group := range groups {
		base := 10
		switch {
		case len(group) >= 2 && group[0] == '0' && group[1]|0x20 == 'x':
			group, base = "0"+group[2:], 16
		case len(group) > 1 && group[0] == '0':
			base = 8
		}
		n, err := strconv.ParseUint(group, base, 64)
		width := 8
		if i == len(groups)-1 {
			width = 8 * (5 - len(groups))
		}
		if err != nil || n >= 1<<width {
			return a, false
		}
		address = address<<width | n
	}
	return netip.AddrFrom4([4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}), true
}
