package vet

import (
	"strconv"
	"strings"

	"locator"
	"locator/internal/addrspec"
	"locator/internal/octet"
)

func findNoMailAddress(u locator.URL, found func(string)) {
	v, ok := locator.As[*locator.Mailto](u)
	if !ok {
		return
	}
	for _, address := range v.To {
		if _, err := addrspec.Parse(address); err != nil {
			found("an address is not an addr-spec of RFC 822: a local part, an @ and a domain")
			return
		}
	}
	if v.To == nil {
		if _, err := addrspec.Parse(v.Address); err != nil || !octet.IsASCII(v.Address) {
			found("the address is not an addr-spec of RFC 822: a local part, an @ and a domain")
		}
	}
}

// findUnsafeHeader allows the fields that a mailer shows and that a reader expects a link to set
// (RFC 6068 3 and 4).
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

// findStrayDelimiter looks for bytes that RFC 6068 2 requires to be escaped in a value; 6.1 shows
// the mistake.
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

// findMoreRecipients looks for recipients in header fields of a URL that already has one. Those
// before the "?" are in plain sight, and findUnsafeHeader reports other fields, such as bcc.
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
