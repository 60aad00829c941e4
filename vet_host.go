package locator

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// digitGroups are the four groups of a host number (RFC 1738 3.1), nil where the host is none. The dot that ends an
// absolute name is no part of them.
func digitGroups(host string) []string {
	host = strings.TrimSuffix(host, ".")
	if host == "" || strings.Trim(host, "0123456789.") != "" || strings.Count(host, ".") != 3 {
		return nil
	}
	groups := strings.Split(host, ".")
	if slices.Contains(groups, "") {
		return nil
	}
	return groups
}

func findNoAddress(u URL, found func(string)) {
	host := u.ASCIIHost()
	if len(host) > 1 && host[0] == '[' && host[1]|0x20 == 'v' {
		found("the host is an IP literal of a version that does not exist")
	}
	for _, group := range digitGroups(host) {
		if _, ok := octetOf(group); !ok {
			found("the digit group " + shorten(group) + " of the host is over 255: that is no address; some readers refuse it, others look it up as a name")
			return
		}
	}
}

func findAmbiguousAddress(u URL, found func(string)) {
	host := u.ASCIIHost()
	for _, group := range digitGroups(host) {
		if len(group) > 1 && group[0] == '0' {
			found("the digit group " + shorten(group) + " of the host has a leading zero: readers that take it for octal " + readersReach(host))
			return
		}
	}
}

func findNumericHost(u URL, found func(string)) {
	host := u.ASCIIHost()
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if strings.HasPrefix(host, "[") || !isNumber(labels[len(labels)-1]) || digitGroups(host) != nil {
		return
	}
	found("the host " + shorten(host) + " ends in a number and is no address here: readers that take it for one " + readersReach(host))
}

// isNumber reports whether a label is a number to any reader: in decimal, octal or hexadecimal.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(lower(label), "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// readersReach says what readers make of a host that they take for an address as the function inet_aton does: up to four
// numbers, of which the last fills what is left.
func readersReach(host string) string {
	const none = "find no address in it"
	groups := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(groups) > 4 {
		return none
	}
	var address uint64
	for i, group := range groups {
		base := 10
		switch g := lower(group); {
		case strings.HasPrefix(g, "0x"):
			group, base = "0"+g[2:], 16
		case len(g) > 1 && g[0] == '0':
			base = 8
		}
		n, err := strconv.ParseUint(group, base, 64)
		width := 8
		if i == len(groups)-1 {
			width = 8 * (5 - len(groups))
		}
		if err != nil || n >= 1<<width {
			return none
		}
		address = address<<width | n
	}
	a := [4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}
	text := "reach "
	for i, octet := range a {
		if i > 0 {
			text += "."
		}
		text += strconv.Itoa(int(octet))
	}
	if what := localIPv4(a); what != "" {
		text += ", " + what
	}
	return text
}

// isHostName reports whether a host is a name rather than an address.
func isHostName(host string) bool {
	return host != "" && host[0] != '[' && digitGroups(host) == nil
}

func findOddHost(u URL, found func(string)) {
	host := u.ASCIIHost()
	if !isHostName(host) || badIDNA(u.Host()) != "" {
		return
	}
	first := true // a hyphen at the very begin is reported by itself
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" {
			found("the host has an empty label")
			return
		}
		for i := range len(label) {
			if c := label[i]; strictTable[c]&labelClass == 0 && c != '_' {
				found("the host has the octet " + quoteOctet(c) + ", which stands in no host name")
				return
			}
		}
		if label[len(label)-1] == '-' || label[0] == '-' && !first {
			found("the label " + shorten(label) + " of the host begins or ends with a hyphen")
			return
		}
		first = false
	}
}

func findOptionHost(u URL, found func(string)) {
	if host := u.ASCIIHost(); strings.HasPrefix(host, "-") {
		found("the host " + shorten(host) + " begins with a hyphen")
	}
}

func findBadIDNA(u URL, found func(string)) {
	if label := badIDNA(u.Host()); label != "" {
		found("the label " + label + " of the host is no good internationalized one")
	}
}

// maxVetted is the length up to which the labels of a host are looked at one by one; none that is longer exists.
const maxVetted = 4096

// badIDNA is a label that is no good by IDNA, in ASCII to show it; "" if there is none.
func badIDNA(host string) string {
	if len(host) > maxVetted {
		return ""
	}
	ascii := asciiHost(host)
	for label := range strings.SplitSeq(ascii, ".") {
		if strings.HasPrefix(lower(label), acePrefix) {
			if text, ok := unicodeLabel(label); !ok || oddHyphens(text) {
				return shorten(label)
			}
		}
		for i := 0; i < len(label); i++ {
			if c, escaped := octetAt(label, i); escaped && c >= utf8.RuneSelf { // which only stays where IDNA gave up
				return shorten(label)
			}
		}
	}
	return ""
}

// oddHyphens reports whether an internationalized label has hyphens where it may not: first, last, or third and fourth (RFC
// 5891 4.2.3.1). Labels in ASCII alone do have them in the third and fourth place.
func oddHyphens(text string) bool {
	runes := []rune(text)
	return strings.HasPrefix(text, "-") || strings.HasSuffix(text, "-") || len(runes) > 3 && runes[2] == '-' && runes[3] == '-'
}

func findMixedScript(u URL, found func(string)) {
	host := u.ASCIIHost()
	if len(host) > maxVetted {
		return
	}
	for label := range strings.SplitSeq(host, ".") {
		text, ok := unicodeLabel(label)
		if !ok {
			continue
		}
		if scripts := hostScripts(text); scripts != "" {
			found("the label " + label + " of the host is written in several scripts: " + shorten(scripts))
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
	host := strings.TrimSuffix(u.ASCIIHost(), ".")
	if !isHostName(host) {
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
	host := lower(u.ASCIIHost())
	if u.grammar() == fileGrammar && host == "localhost" { // which a file URL means anyway (RFC 1738 3.10)
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
	if strings.HasPrefix(host, "[v") {
		return ""
	}
	if strings.HasPrefix(host, "[") {
		return localIPv6(ipv6Octets(host))
	}
	groups := digitGroups(host)
	if groups == nil {
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
	case high == [12]byte{10: 0xFF, 11: 0xFF}, high == [12]byte{1: 0x64, 2: 0xFF, 3: 0x9B}: // RFC 6052
		return localIPv4(low)
	case a[0] == 0x20 && a[1] == 0x02: // RFC 3056
		return localIPv4([4]byte(a[2:6]))
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
