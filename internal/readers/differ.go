package readers

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"locator"
	"locator/internal/octet"
)

// Difference is a part on which parsers disagree.
type Difference struct {
	Part   string // scheme, user, host or port
	Values []Value
}

// Value is a value of a part and the parsers that return it.
type Value struct {
	Text    locator.Optional // as the first of them returns it
	Readers []string
}

// Differences returns the parts among scheme, user, host and port whose values differ in meaning. Spellings that every RFC
// treats as equivalent do not count, nor does an absent part against an empty one, or a default port against none. A parser
// that rejects the text and returns no parts is ignored, and so is RFC 1738 for the schemes that it has no rule for.
func Differences(list []Reading) []Difference {
	var all []Difference
	for _, p := range []struct {
		name string
		text func(*Reading) locator.Optional
		key  func(*Reading) string
	}{
		{"scheme", schemePart, func(r *Reading) string { return r.Scheme }},
		{"user", func(r *Reading) locator.Optional { return r.User }, func(r *Reading) string { return locator.Decode(r.User.Or("")) }},
		{"host", func(r *Reading) locator.Optional { return r.Host }, hostKey},
		{"port", func(r *Reading) locator.Optional { return r.Port }, portKey},
	} {
		var keys []string
		d := Difference{Part: p.name}
		for i := range list {
			r := &list[i]
			if !r.Split || r.Generic {
				continue
			}
			key := p.key(r)
			n := slices.Index(keys, key)
			if n < 0 {
				n = len(keys)
				keys = append(keys, key)
				d.Values = append(d.Values, Value{Text: p.text(r)})
			}
			d.Values[n].Readers = append(d.Values[n].Readers, r.Reader)
		}
		if len(keys) > 1 {
			all = append(all, d)
		}
	}
	return all
}

func schemePart(r *Reading) locator.Optional { return optional(r.Scheme, r.Scheme != "") }

// maxName bounds the input of Punycode in bytes. A name of the DNS has at most 253 (RFC 1035 2.3.4), and somewhat more
// before encoding.
const maxName = 1024

// hostKey returns the same key for equivalent hosts: in either case, with escapes of letters, digits, "-._~" (RFC 3986 6.2.2) and
// characters beyond ASCII (RFC 3986 3.2.2), with the dot that ends a name in the DNS, in Punycode (RFC 3492), and IPv6 addresses in
// any notation. Names that IDNA maps to other letters are not equivalent, since some parsers map them and some do not.
func hostKey(r *Reading) string {
	host := r.Host.Or("")
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner = strings.TrimSuffix(locator.Decode(inner), "]")
		if a, err := netip.ParseAddr(inner); err == nil {
			return a.String()
		}
		return "[" + lower(inner)
	}
	host = strings.TrimSuffix(lower(undoNames(host)), ".")
	if r.Scheme == "file" && host == "localhost" { // RFC 1738 3.10
		return ""
	}
	if len(host) > maxName {
		return host
	}
	if ascii, err := idna.Punycode.ToASCII(norm.NFC.String(strings.ToLower(host))); err == nil {
		return ascii
	}
	return host
}

// undoNames decodes the escapes of letters, digits, "-._~" and of characters beyond ASCII in UTF-8.
func undoNames(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c, octets := octet.Rune(s[i:]); octets > 0 {
			b.WriteRune(c)
			i += 3*octets - 1
			continue
		}
		if c, escaped := octet.At(s, i); escaped && allIn(string(rune(c)), unreserved) {
			b.WriteByte(c)
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// portKey returns the port without leading zeros, and "" for the default port of the scheme.
func portKey(r *Reading) string {
	digits := r.Port.Or("")
	if digits == "" {
		return ""
	}
	short := strings.TrimLeft(digits, "0")
	scheme := r.Scheme
	switch scheme { // schemes of the WHATWG standard with the ports of http
	case "ws":
		scheme = "http"
	case "wss":
		scheme = "https"
	}
	switch {
	case short == "":
		return "0"
	case short == strconv.Itoa(int(locator.DefaultPort(scheme))):
		return ""
	}
	return short
}
