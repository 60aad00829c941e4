package locator

import "strings"

// digitGroups are the groups of a host number (RFC 1738 3.1), nil where the host is none.
func digitGroups(host string) []string {
	if host == "" || strings.Trim(host, "0123456789.") != "" {
		return nil
	}
	return strings.Split(host, ".")
}

func findNoAddress(u URL, found func(string)) {
	for _, group := range digitGroups(u.Host()) {
		if _, ok := octetOf(group); !ok {
			found("the digit group " + shorten(group) + " of the host is over 255: that is no address")
			return
		}
	}
}

func findAmbiguousAddress(u URL, found func(string)) {
	for _, group := range digitGroups(u.Host()) {
		if len(group) > 1 && group[0] == '0' {
			found("the digit group " + shorten(group) + " of the host has a leading zero, which some readers take for octal")
			return
		}
	}
}

// octetOf is the value of a digit group up to 255, in decimal (RFC 1738 3.1).
func octetOf(group string) (octet byte, ok bool) {
	n := 0
	for i := range len(group) {
		if n = 10*n + int(group[i]-'0'); n > 255 {
			return 0, false
		}
	}
	return byte(n), true
}

// Lengths of domain names in octets, without the root's dot (RFC 1035 2.3.4).
const (
	maxLabel = 63
	maxName  = 253
)

func findLongName(u URL, found func(string)) {
	host := u.Host()
	if u.hasIPv6() || digitGroups(host) != nil {
		return
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > maxLabel {
			found("the label " + shorten(label) + " of the host has more than 63 octets")
			return
		}
	}
	if len(host) > maxName {
		found("the host has more than 253 octets")
	}
}

func findLocalAddress(u URL, found func(string)) {
	host := lower(u.Host())
	if u.kind == kindFile && host == "localhost" { // which a file URL means anyway (RFC 1738 3.10)
		return
	}
	if what := localName(host); what != "" {
		found("the host is " + what)
	}
}

// localName says what a host is that is not for everyone; "" if it is.
func localName(host string) string {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761 6.3
		return thisMachine
	}
	if strings.HasPrefix(host, "[") {
		return localIPv6(ipv6Octets(host))
	}
	groups := digitGroups(host)
	if len(groups) != 4 {
		return ""
	}
	var a [4]byte
	for i, group := range groups {
		octet, ok := octetOf(group)
		if !ok {
			return ""
		}
		a[i] = octet
	}
	return localIPv4(a)
}

const (
	thisMachine    = "this machine"
	privateNetwork = "in a private network"
	linkLocal      = "on the local link"
)

// localIPv4 knows the blocks of RFC 6890 that people meet.
func localIPv4(a [4]byte) string {
	switch {
	case a[0] == 127 || a[0] == 0:
		return thisMachine
	case a[0] == 10, a[0] == 172 && a[1]&0xF0 == 16, a[0] == 192 && a[1] == 168, a[0] == 100 && a[1]&0xC0 == 64:
		return privateNetwork
	case a[0] == 169 && a[1] == 254:
		return linkLocal
	}
	return ""
}

// localIPv6 is localIPv4 for IPv6, and for the IPv4 addresses that are mapped into it (RFC 4291 2.5.5.2).
func localIPv6(a [16]byte) string {
	var zeros [12]byte
	high, low := [12]byte(a[:12]), [4]byte(a[12:])
	switch {
	case high == zeros && low[0] == 0 && low[1] == 0 && low[2] == 0 && low[3] <= 1:
		return thisMachine
	case high == [12]byte{10: 0xFF, 11: 0xFF}:
		return localIPv4(low)
	case a[0]&0xFE == 0xFC: // RFC 4193
		return privateNetwork
	case a[0] == 0xFE && a[1]&0xC0 == 0x80:
		return linkLocal
	}
	return ""
}

// ipv6Octets are the octets of a literal in its brackets that the grammar has accepted.
func ipv6Octets(literal string) (a [16]byte) {
	before, after, gap := strings.Cut(strings.Trim(literal, "[]"), "::")
	front := groupOctets(before)
	copy(a[:], front)
	if gap {
		back := groupOctets(after)
		copy(a[16-len(back):], back)
	}
	return a
}

// groupOctets are the octets of groups between colons, the last of which may be an IPv4 address.
func groupOctets(s string) []byte {
	if s == "" {
		return nil
	}
	var octets []byte
	for group := range strings.SplitSeq(s, ":") {
		if strings.Contains(group, ".") {
			for digits := range strings.SplitSeq(group, ".") {
				octet, _ := octetOf(digits)
				octets = append(octets, octet)
			}
			continue
		}
		n := 0
		for i := range len(group) {
			n = n<<4 | int(hexDigit(group[i]))
		}
		octets = append(octets, byte(n>>8), byte(n))
	}
	return octets
}
