package vet

import (
	"strconv"
	"strings"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

func findNoMailAddress(u locator.URL, found func(string)) {
	v, ok := locator.As[*locator.Mailto](u)
	if !ok {
		return
	}
	for _, address := range v.To {
		if at := strings.LastIndexByte(address, '@'); at >= 0 && !octet.IsASCII(address[at:]) { // RFC 6068 2
			address = address[:at+1] + hostname.ASCII(address[at+1:])
		}
		if !isAddrSpec(address) {
			found("an address is no addr-spec of RFC 822: a local part, an @ and a domain")
			return
		}
	}
	if v.To == nil && !isAddrSpec(v.Address) {
		found("the address is no addr-spec of RFC 822: a local part, an @ and a domain")
	}
}

// findUnsafeHeader allows the fields that a mailer shows and that a reader expects a link to set (RFC 6068 3 and 4).
func findUnsafeHeader(u locator.URL, found func(string)) {
	v, ok := locator.As[*locator.Mailto](u)
	if !ok {
		return
	}
	for _, f := range v.Headers {
		switch octet.Lower(f.Name) {
		case "to", "cc", "subject", "body", "keywords", "in-reply-to", "references":
		default:
			found("the URL sets the header field " + strconv.QuoteToASCII(shorten(f.Name)))
			return
		}
	}
}

// findStrayDelimiter looks for bytes that RFC 6068 2 wants escaped in a value; 6.1 shows the mistake.
func findStrayDelimiter(u locator.URL, found func(string)) {
	fields, ok := u.Search()
	if !ok || u.Scheme() != "mailto" {
		return
	}
	for field := range strings.SplitSeq(fields, "&") {
		name, value, _ := strings.Cut(field, "=")
		if i := strings.IndexAny(value, "?="); i >= 0 {
			found("the value of the header field " + strconv.QuoteToASCII(shorten(locator.Decode(name))) + " contains " + octet.Quote(value[i]) + " without an escape")
			return
		}
	}
}

func findMailAuthority(u locator.URL, found func(string)) {
	if u.Scheme() == "mailto" && strings.HasPrefix(u.SchemePart(), "//") {
		found("the address begins with //, which is a part of it in a mailto URL")
	}
}

// findMoreRecipients looks for recipients in header fields of a URL that already has one. Those before the "?" are in plain sight, and
// findUnsafeHeader reports other fields, such as bcc.
func findMoreRecipients(u locator.URL, found func(string)) {
	if v, ok := locator.As[*locator.Mailto](u); !ok || v.To == nil { // RFC 1738 knows no fields
		return
	}
	to, _, has := strings.Cut(u.SchemePart(), "?")
	one := to != ""
	fields, _ := u.Search()
	for field := range strings.SplitSeq(fields, "&") {
		name, value, _ := strings.Cut(field, "=")
		name = octet.Lower(locator.Decode(name))
		if !has || value == "" || name != "to" && name != "cc" {
			continue
		}
		if one {
			found("the header field " + strconv.Quote(name) + " adds the recipient " + strconv.QuoteToASCII(shorten(locator.Decode(value))))
			return
		}
		one = true
	}
}

// isAddrSpec reports whether s is an addr-spec of RFC 822 6.1, which mailto URLs hold (RFC 1738 3.5):
//
//	addr-spec  = local-part "@" domain
//	local-part = word *("." word)           word       = atom / quoted-string
//	domain     = sub-domain *("." sub-domain)  sub-domain = atom / domain-literal
//
// RFC 822 also allows blanks and comments between these; in a URL they are not part of the address.
func isAddrSpec(s string) bool {
	i := dotted(s, 0, '"', '"')
	if i < 0 || i >= len(s) || s[i] != '@' {
		return false
	}
	return dotted(s, i+1, '[', ']') == len(s)
}

// dotted returns the offset after atoms and quoted texts with dots between them, or -1.
func dotted(s string, i int, open, end byte) int {
	for {
		begin := i
		if i < len(s) && s[i] == open {
			if i = quoted(s, i+1, end); i < 0 {
				return -1
			}
		} else {
			for i < len(s) && isAtomChar(s[i]) {
				i++
			}
		}
		if i == begin {
			return -1
		}
		if i >= len(s) || s[i] != '.' {
			return i
		}
		i++
	}
}

// quoted returns the offset after a quoted-string or domain-literal that starts before i, or -1.
func quoted(s string, i int, end byte) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == end:
			return i + 1
		case c == '\r' || c == '[' && end == ']' || c > 0x7F:
			return -1
		case c == '\\':
			i++
			if i < len(s) && s[i] > 0x7F {
				return -1
			}
		}
		i++
	}
	return -1
}

// isAtomChar reports whether c is an ASCII character other than specials, space and controls (RFC 822 3.3).
func isAtomChar(c byte) bool {
	return c > ' ' && c < 0x7F && strings.IndexByte(`()<>@,;:\".[]`, c) < 0
}
