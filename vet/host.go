package vet

import (
	"strings"
	"unicode/utf8"

	"locator"
	"locator/internal/hostaddr"
	"locator/internal/hostname"
	"locator/internal/octet"
)

func findNoAddress(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	switch h := hostaddr.Read(host); h.Kind {
	case hostaddr.BadIPv6: // the grammar refuses any other
		found("the host is an IP literal of a version that does not exist")
	case hostaddr.BadGroup:
		found("the digit group " + shorten(h.Bad) + " of the host is over 255, so the host is not an address; some programs refuse it, others look it up as a name")
	}
}

func findAmbiguousAddress(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	for _, group := range hostaddr.Read(host).Groups {
		if len(group) > 1 && group[0] == '0' {
			found("the digit group " + shorten(group) + " of the host has a leading zero; programs that read it as octal " + looseReading(host))
			return
		}
	}
}

func findNumericHost(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	if hostaddr.Read(host).Kind == hostaddr.Numeric {
		found("the host " + shorten(host) + " ends in a number and is not an address; programs that read it as one " + looseReading(host))
	}
}

// looseReading says which address programs reach that read the host as inet_aton does.
func looseReading(host string) string {
	a, ok := hostaddr.Loose(host)
	if !ok {
		return "find no address in it"
	}
	text := "reach " + a.String()
	if where := hostaddr.Where(a); where != "" {
		text += ", " + where
	}
	return text
}

// isHostName reports whether a host is a name, which a resolver would look up.
func isHostName(host string) bool {
	return host != "" && host[0] != '[' && hostaddr.Read(host).Groups == nil
}

func findOddHost(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	if !isHostName(host) || badIDNA(u) != "" {
		return
	}
	first := true // a hyphen at the start of the host is a finding of its own
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" {
			found("the host has an empty label")
			return
		}
		for i := range len(label) {
			if c := label[i]; !hostname.IsLabel(c) && c != '_' {
				found("the host contains " + octet.Quote(c) + ", which is not allowed in host names")
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

func findOptionHost(u locator.URL, found func(string)) {
	if host := u.ASCIIHost(); strings.HasPrefix(host, "-") {
		found("the host " + shorten(host) + " begins with a hyphen")
	}
}

func findBadIDNA(u locator.URL, found func(string)) {
	if label := badIDNA(u); label != "" {
		found("the label " + label + " of the host is not a valid internationalized label")
	}
}

// maxVetted bounds the hosts whose labels are looked at one by one; no longer name exists.
const maxVetted = 4096

// badIDNA returns the first label that IDNA does not allow, shortened; "" if there is none.
func badIDNA(u locator.URL) string {
	if len(u.Host()) > maxVetted {
		return ""
	}
	host := u.ASCIIHost()
	for label := range strings.SplitSeq(host, ".") {
		if strings.HasPrefix(octet.Lower(label), hostname.Prefix) {
			if text, ok := hostname.Unicode(label); !ok || oddHyphens(text) || hostname.Disallowed(text) {
				return shorten(label)
			}
		}
		for i := range len(label) {
			if c, escaped := octet.At(label, i); escaped && c >= utf8.RuneSelf { // ASCIIHost keeps it only if IDNA refuses it
				return shorten(label)
			}
		}
	}
	return shorten(hostname.AgainstBidi(host))
}

// oddHyphens reports whether an internationalized label has hyphens where it must not: first, last,
// or third and fourth (RFC 5891 4.2.3.1). Labels in ASCII alone do have them in the third and
// fourth place.
func oddHyphens(text string) bool {
	runes := []rune(text)
	return strings.HasPrefix(text, "-") || strings.HasSuffix(text, "-") || len(runes) > 3 && runes[2] == '-' && runes[3] == '-'
}

// findMappedHost finds a host that people read as another one than is looked up: with escapes of
// letters, digits and dots, in full-width letters, with another full stop, or with letters that
// IDNA replaces or drops. Case and composed letters do not count.
func findMappedHost(u locator.URL, found func(string)) {
	host := u.Host()
	if hidesName(host) || len(host) <= maxVetted && hostname.Mapped(locator.Decode(host)) {
		found("the host that is looked up is " + shorten(u.ASCIIHost()) + ", and not what is written")
	}
}

// hidesName reports whether a host has escapes for characters of names in ASCII, which nothing but
// hiding needs.
func hidesName(host string) bool {
	for i := range len(host) {
		if c, escaped := octet.At(host, i); escaped && (hostname.IsLabel(c) || c == '.' || c == '_') {
			return true
		}
	}
	return false
}

func findMixedScript(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	if len(host) > maxVetted {
		return
	}
	for label := range strings.SplitSeq(host, ".") {
		text, ok := hostname.Unicode(label)
		if !ok {
			continue
		}
		if scripts := hostname.Scripts(text); scripts != "" {
			found("the label " + label + " of the host mixes scripts: " + shorten(scripts))
			return
		}
	}
}

func findLongName(u locator.URL, found func(string)) {
	host := strings.TrimSuffix(u.ASCIIHost(), ".")
	if !isHostName(host) {
		return
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > hostname.MaxLabel {
			found("the label " + shorten(label) + " of the host has more than 63 bytes")
			return
		}
	}
	if len(host) > hostname.MaxName {
		found("the host has more than 253 bytes")
	}
}

// findUnusableAddress finds addresses that access refuses in any mode.
func findUnusableAddress(u locator.URL, found func(string)) {
	if a := hostaddr.Read(u.ASCIIHost()).Addr; a.IsValid() {
		if why := hostaddr.NotUnicast(a.Unmap()); why != "" {
			found("nothing can connect to the host: " + why)
		}
	}
}

func findLocalAddress(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	h := hostaddr.Read(host)
	if where := hostaddr.Where(h.Addr); where != "" {
		found("the host is " + where)
	}
	if h.Kind != hostaddr.Name {
		return
	}
	switch where := hostaddr.LocalName(host); {
	case where == hostaddr.ThisMachine && u.Scheme() != "file": // which a file URL means anyway (RFC 1738 3.10)
		found("the host is " + where)
	case where != "" && where != hostaddr.ThisMachine && !singleLabel(host):
		found("the host is a name " + where)
	}
}

// findSingleLabel leaves out the schemes that locator does not know, whose host may not be a
// network name, and the hosts that findURLAsHost finds.
func findSingleLabel(u locator.URL, found func(string)) {
	host := u.ASCIIHost()
	if s := locator.SyntaxOf(u.Scheme()); s == nil || len(s.Ports) == 0 || hostaddr.Read(host).Kind != hostaddr.Name {
		return
	}
	if singleLabel(host) && !hasURLAsHost(u) && hostaddr.LocalName(host) != hostaddr.ThisMachine {
		found("the host is a single label, which is looked up in the local domain")
	}
}

func singleLabel(host string) bool {
	host = strings.TrimSuffix(host, ".")
	return host != "" && !strings.Contains(host, ".")
}

func findSpecialAddress(u locator.URL, found func(string)) {
	a := hostaddr.Read(u.ASCIIHost()).Addr
	if !a.IsValid() || hostaddr.Public(a) || hostaddr.Where(a) != "" || hostaddr.NotUnicast(a.Unmap()) != "" {
		return
	}
	name, rfc := hostaddr.Class(a)
	if rfc != "" {
		name += ", " + rfc
	}
	found("the host is not a public address: " + name)
}
