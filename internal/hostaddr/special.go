package hostaddr

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// block is one row of the tables.
type block struct {
	prefix    netip.Prefix
	name, rfc string
	global    bool
	where     string // "this machine", "in a private network" or "on the local link"; "" for any other
}

// blocks parses the tables once. The result is never written to.
var blocks = sync.OnceValue(func() []block {
	var all []block
	for line := range strings.Lines(ipv4Special + ipv6Special + furtherSpecial) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		field := strings.Split(line, "|")
		for i, f := range field {
			field[i] = strings.Trim(f, " -")
		}
		b := block{prefix: netip.MustParsePrefix(field[0]), name: field[1], rfc: field[2], global: field[3] == "yes"}
		if len(field) > 4 {
			b.where = field[4]
		}
		all = append(all, b)
	}
	return all
})

// blockOf returns the smallest block that contains a, an address without a zone that is not
// IPv4-mapped.
func blockOf(a netip.Addr) (found block, ok bool) {
	for _, b := range blocks() {
		if b.prefix.Contains(a) && (!ok || b.prefix.Bits() > found.prefix.Bits()) {
			found, ok = b, true
		}
	}
	return found, ok
}

// Public reports whether an address is public: IANA calls it globally reachable, or assigns it
// without restriction. The IPv4 address inside an IPv6 address is judged too: an IPv4-mapped
// address is equivalent to it (RFC 4291 2.5.5.2), and a translated one is routed to it (RFC 6052).
// 6to4 and Teredo addresses are never public, since relays decide where they lead.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsValid() {
		return false
	}
	if b, ok := blockOf(a); ok && !b.global {
		return false
	}
	inner, ok := Embedded(a)
	return !ok || Public(inner)
}

// Class returns the special-purpose block that contains an address, with the RFC that defines it,
// and the block of the IPv4 address inside it. Both are empty for an ordinary public address.
func Class(a netip.Addr) (name, rfc string) {
	a = a.Unmap().WithZone("")
	if !a.IsValid() {
		return "no address", ""
	}
	b, ok := blockOf(a)
	if !ok || b.name == "" {
		return "", ""
	}
	if inner, ok := Embedded(a); ok {
		if what, _ := Class(inner); what != "" {
			return fmt.Sprintf("%s of %s: %s", b.name, inner, what), b.rfc
		}
	}
	return b.name, b.rfc
}

// Embedded returns the IPv4 address inside an IPv6 address, for a translator or for the end of a
// tunnel.
func Embedded(a netip.Addr) (inner netip.Addr, ok bool) {
	if !a.Is6() {
		return netip.Addr{}, false
	}
	b := a.As16()
	in := func(prefix string) bool { return netip.MustParsePrefix(prefix).Contains(a) }
	switch {
	case in("64:ff9b::/96"), // RFC 6052 2.1
		in("64:ff9b:1::/48"),      // RFC 8215; where it uses the longest prefix
		in("::/96") && b[12] != 0: // IPv4-compatible, deprecated (RFC 4291 2.5.5.1)
		return netip.AddrFrom4([4]byte(b[12:])), true
	case in("2002::/16"): // RFC 3056 2
		return netip.AddrFrom4([4]byte(b[2:])), true
	case in("2001::/32"): // Teredo: the client's address, each bit turned (RFC 4380 4)
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	return netip.Addr{}, false
}

// ThisMachine is what [Where] and [LocalName] return for the machine itself.
const ThisMachine = "this machine"

// LocalName returns what a name is that means another host, or none, elsewhere: "this machine"
// (RFC 6761 6.3), "on the local link" (RFC
// 6762) or "in a private network": a name of a single label, which a resolver looks up in the domain of this machine, or one that
// the public DNS does not have. It is "" for any other name.
func LocalName(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	i := strings.LastIndexByte(host, '.')
	switch top := host[i+1:]; {
	case host == "":
		return ""
	case top == "localhost":
		return ThisMachine
	case top == "local":
		return "on the local link"
	case i < 0, slices.Contains(privateTops, top), strings.HasSuffix(host, ".home.arpa"), host == "home.arpa":
		return "in a private network"
	}
	return ""
}

// privateTops are the top-level domains that ICANN has reserved for private use, or that RFC 6762
// appendix G lists as being used so.
var privateTops = []string{"internal", "intranet", "private", "corp", "home", "lan"}

// NotUnicast returns why no policy may allow a connection to an address; "" if one may.
func NotUnicast(a netip.Addr) string {
	if inner, ok := Embedded(a); ok {
		if why := NotUnicast(inner); why != "" {
			return why
		}
	}
	switch {
	case !a.IsValid():
		return "it is not an address"
	case a.IsUnspecified():
		return "it is the unspecified address"
	case a.IsMulticast():
		return "it is a multicast address"
	case a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return "it is the broadcast address"
	}
	return ""
}

// Where returns where an address is that is not public: "this machine", "in a private network" or
// "on the local link"; "" for any other address. For an IPv6 address that contains an IPv4 address,
// it is that of the IPv4 address.
func Where(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if b, ok := blockOf(a); ok && b.where != "" {
		return b.where
	}
	if inner, ok := Embedded(a); ok {
		return Where(inner)
	}
	return ""
}
