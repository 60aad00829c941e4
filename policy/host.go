package policy

import (
	"net/netip"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// checkHost refuses hosts that are no address though they look like one: what a resolver of some system makes of them
// is not what the URL says (RFC 1738 3.1, S4). Names are the resolver's matter; "" is this machine in a file URL.
func checkHost(host string) error {
	if literal, ok := strings.CutPrefix(host, "["); ok {
		return checkLiteral(strings.TrimSuffix(literal, "]"))
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if !isNumber(labels[len(labels)-1]) {
		return nil
	}
	shown := wire.Escape(shorten(host))
	if len(labels) != 4 {
		return scheme.Fail(scheme.CodeRefused, "the host %s ends in a number and is no address: an address has four digit groups (RFC 1738 3.1)", shown)
	}
	for _, group := range labels {
		n, err := strconv.ParseUint(group, 10, 64)
		if err != nil || n > 255 {
			return scheme.Fail(scheme.CodeRefused, "the host %s is no address: its digit group %s is not 0 to 255 (RFC 1738 3.1)",
				shown, wire.Escape(shorten(group)))
		}
	}
	return nil
}

// isNumber reports whether a label is a number to any resolver: in decimal, octal or hexadecimal.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(strings.ToLower(label), "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// checkLiteral judges what stands between the brackets. A zone names an interface of this machine, which is nothing
// that a URL may choose (RFC 6874 is no part of any syntax here).
func checkLiteral(literal string) error {
	a, err := netip.ParseAddr(literal)
	if err != nil || !a.Is6() {
		return scheme.Fail(scheme.CodeRefused, "the host [%s] is no IPv6 address (RFC 3986 3.2.2)", wire.Escape(shorten(literal)))
	}
	if a.Zone() != "" {
		return scheme.Fail(scheme.CodeRefused, "the host [%s] names a zone of this machine; write the address without it", wire.Escape(shorten(literal)))
	}
	return nil
}
