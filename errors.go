package locator

import (
	"fmt"
	"strings"

	"locator/internal/octet"
)

// SyntaxError says why a text is not a URL, or why a view cannot be written as one. It never contains a password, and of the input no
// more than the wrong character. Package repair suggests the URL that was probably meant.
type SyntaxError struct {
	// Offset is the first byte that cannot continue any URL of the scheme, or the length of the text if it ends too early. In an
	// error of Build it counts within the part that Rule names.
	Offset  int
	Scheme  string // in lower case; "" if there is no scheme
	Rule    string // the BNF rule at Offset, or the part that cannot be built
	Section string // of RFC 1738, or another RFC by its name, as in "RFC 3986 3.2.2"
	Msg     string // what is wrong
	Hint    string // what to write instead: an escape such as "%7E", or a phrase

	build bool   // an error of Build
	text  string // the text of UnmarshalText, redacted and cut; "" if the caller has it
}

// Error returns what is wrong, where, and what to write instead. Rule and Section, which it leaves out, say why.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	name := "URL"
	if e.Scheme != "" && len(e.Scheme) <= maxSchemeShown {
		name = e.Scheme + " URL"
	}
	if e.build {
		fmt.Fprintf(&b, "cannot build %s: %s: %s", name, e.Rule, e.Msg)
	} else {
		fmt.Fprintf(&b, "malformed %s ", name)
		if e.text != "" {
			fmt.Fprintf(&b, "%q ", e.text)
		}
		fmt.Fprintf(&b, "at byte %d: %s", e.Offset, e.Msg)
	}
	if e.Hint != "" {
		b.WriteString("; ")
		if e.Hint[0] == '%' {
			b.WriteString("write ")
		}
		b.WriteString(e.Hint)
	}
	return b.String()
}

// maxSchemeShown is the length of the longest scheme that a message names.
const maxSchemeShown = 40

// Rules that are not in the BNF of the ten schemes, or need their own message.
const (
	ruleEscape    = "escape"
	ruleIPv6      = "IPv6address" // RFC 3986 3.2.2
	ruleIPvFuture = "IPvFuture"   // RFC 3986 3.2.2
	ruleFragment  = "fragment"    // RFC 3986 3.5
	ruleUCS       = "ucschar"     // RFC 3987 2.2
)

// What was expected, and what to write instead.
const (
	needHost = "a host name or four digit groups"
	needPort = "a port in digits"

	hintHost    = `a host is a name such as host.example (letters, digits and "-"; the last label begins with a letter) or four digit groups such as 192.0.2.1`
	hintPort    = "write the port in decimal, or leave out the colon too"
	hintPercent = "%25 for a percent sign, or %XX with two hexadecimal digits"
)

// section returns where a rule is defined: in RFC 1738 section 5, or in Current in the RFC that came after.
func (r *reader) section(rule string) string {
	row := r.u.row()
	switch {
	case rule == ruleFragment:
		return "RFC 3986 3.5"
	case !r.current && row.Extension:
		return row.Section
	case !r.current:
		return "5"
	}
	switch rule {
	case "scheme":
		return "RFC 3986 3.1"
	case ruleEscape:
		return "RFC 3986 2.1"
	case "authority", "hostport":
		return "RFC 3986 3.2"
	case "host", ruleIPv6, ruleIPvFuture:
		return "RFC 3986 3.2.2"
	case "port":
		return "RFC 3986 3.2.3"
	case ruleUCS:
		return "RFC 3987 2.2"
	}
	if row.Name != "" {
		return row.CurrentSection
	}
	return "RFC 3986 3"
}

// syntaxError returns the error for text s. r.s is s, with or without the fragment.
func (r *reader) syntaxError(s string) *SyntaxError {
	f := *r.fault
	row := r.u.row()
	if f.rule == "login" {
		f.need += " (the text before it is not a host because of " + octet.Quote(s[f.odd]) + ")"
	}
	if row.Name != "" && strings.HasSuffix(f.rule, "url") { // the scheme may share its grammar with another
		f.rule = row.Rule
	}
	scheme := octet.Lower(s[:r.u.colon])
	e := &SyntaxError{Offset: f.off, Scheme: scheme, Rule: f.rule, Section: r.section(f.rule), Hint: f.hint}
	if f.off >= len(r.s) {
		e.Msg = "expected " + f.need + ", found the end of the URL"
		if e.Hint == "" {
			e.Hint = "add " + f.need
		}
		return e
	}
	c := s[f.off]
	shown, escape := octet.Character(s, f.off)
	secret := false
	for begin, end := range PasswordSpans(s) {
		secret = secret || f.off >= begin && f.off < end
	}
	inHost := f.rule == "host" || f.rule == "port" || f.rule == "fileurl"
	switch {
	case !row.logins.allow(r.current) && row.grammar != newsGrammar && (secret || c == '@' && inHost):
		e.Msg = "a user or password is not allowed here"
		e.Hint = `leave out everything up to the "@"`
	case secret: // never show a byte of a password
		e.Msg = "a byte of the password must be escaped"
		e.Hint = "write it as %XX, with two hexadecimal digits"
	case c == '#' && f.rule != ruleFragment:
		e.Msg = `"#" begins a fragment, which is not part of a URL`
		e.Hint = "%23 for the character itself, or remove the fragment"
	case f.need == "":
		e.Msg = shown + " is not allowed here"
		if e.Hint == "" {
			e.Hint = escape
		}
	default:
		e.Msg = "expected " + f.need + ", found " + shown
		if e.Hint == "" {
			e.Hint = "put " + f.need + " there"
		}
	}
	return e
}
