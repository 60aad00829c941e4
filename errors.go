package locator

import (
	"fmt"
	"strings"

	"locator/internal/octet"
)

// SyntaxError says why a text is not a URL, or why a view cannot be written as one. It never
// contains a password, and of the input no more than the wrong character. Package repair suggests
// the URL that was probably meant.
type SyntaxError struct {
	// Offset is the first byte that cannot continue any URL of the scheme, or the length of the
	// text if it ends too early. In an error of Build it counts within the part that Rule names.
	Offset  int
	Scheme  string // in lower case; "" if there is no scheme
	Rule    string // the BNF rule at Offset, or the part that cannot be built
	Section string // of RFC 1738, or another RFC by its name, as in "RFC 3986 3.2.2"
	Msg     string // what is wrong
	Hint    string // what to write instead: an escape such as "%7E", or a phrase

	build bool   // an error of Build
	text  string // the text of UnmarshalText, redacted and cut; "" if the caller has it
}

// Error returns what is wrong, where, and what to write instead. Rule and Section, which it leaves
// out, say why.
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

// section returns where a rule is defined: in RFC 1738 section 5, or in Current in the RFC that
// came after.
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
	if row.Name != "" && row.grammar != otherGrammar {
		return row.CurrentSection
	}
	return "RFC 3986 3"
}

// syntaxError returns the error for text s. r.s is s, with or without the fragment. It makes two
// allocations: the error, and one string for its scheme, message and hint.
func (r *reader) syntaxError(s string) *SyntaxError {
	f := r.fault
	row := r.u.row()
	e := &SyntaxError{Offset: f.off, Rule: f.rule, Hint: f.hint}
	if row.Name != "" && strings.HasSuffix(f.rule, "url") { // the scheme may share its grammar with another
		e.Rule = row.Rule
	}
	e.Section = r.section(e.Rule)
	var buf [256]byte
	b := octet.AppendLower(buf[:0], s[:r.u.colon])
	scheme := len(b)
	b = r.appendMessage(b, s, row, e)
	message := len(b)
	if e.Hint == "" {
		b = r.appendHint(b, s)
	}
	text := string(b)
	e.Scheme, e.Msg = text[:scheme], text[scheme:message]
	if e.Hint == "" {
		e.Hint = text[message:]
	}
	return e
}

// appendMessage appends what is wrong with text s. It sets e.Hint if another one than that of the
// fault, or of appendHint, helps more.
func (r *reader) appendMessage(b []byte, s string, row *row, e *SyntaxError) []byte {
	f := r.fault
	ends := f.off >= len(r.s)
	if !ends {
		secret := inPassword(s, f.off)
		inHost := f.rule == "host" || f.rule == "port" || f.rule == "fileurl"
		switch {
		case !row.logins.allow(r.current) && row.grammar != newsGrammar && (secret || s[f.off] == '@' && inHost):
			e.Hint = `leave out everything up to the "@"`
			return append(b, "a user or password is not allowed here"...)
		case secret: // never show a byte of a password
			e.Hint = "write it as %XX, with two hexadecimal digits"
			return append(b, "a byte of the password must be escaped"...)
		case s[f.off] == '#' && f.rule != ruleFragment:
			e.Hint = "%23 for the character itself, or remove the fragment"
			return append(b, `"#" begins a fragment, which is not part of a URL`...)
		case f.need == "":
			return append(octet.AppendCharacter(b, s, f.off), " is not allowed here"...)
		}
	}
	b = append(append(b, "expected "...), f.need...)
	if f.rule == "login" {
		b = octet.AppendQuote(append(b, " (the text before it is not a host because of "...), s[f.odd])
		b = append(b, ')')
	}
	b = append(b, ", found "...)
	if ends {
		return append(b, "the end of the URL"...)
	}
	return octet.AppendCharacter(b, s, f.off)
}

// appendHint appends what to write instead, for a fault without a hint.
func (r *reader) appendHint(b []byte, s string) []byte {
	switch f := r.fault; {
	case f.off >= len(r.s):
		return append(append(b, "add "...), f.need...)
	case f.need == "":
		return octet.AppendCharacterEscape(b, s, f.off)
	default:
		return append(append(append(b, "put "...), f.need...), " there"...)
	}
}

// inPassword reports whether s[i] may belong to a password.
func inPassword(s string, i int) bool {
	for begin, end := range PasswordSpans(s) {
		if i < end {
			return i >= begin
		}
	}
	return false
}
