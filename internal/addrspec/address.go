package addrspec

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// Productions is the grammar of [Parse] (RFC 5234). A local part may mix atoms and quoted strings,
// as in RFC 822 and obs-local-part of RFC 5322. Blanks, comments and control characters are not
// part of an address.
const Productions = `
addr-spec      = local-part "@" domain
local-part     = word *( "." word )
word           = atom / quoted-string
domain         = atom *( "." atom ) / domain-literal
atom           = 1*atext
atext          = ALPHA / DIGIT / "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "/" / "=" / "?" / "^" / "_" / %x60 / "{" / "|" / "}" / "~" / non-ascii
quoted-string  = DQUOTE *( qtext / quoted-pair ) DQUOTE
qtext          = %x20-21 / %x23-5B / %x5D-7E / non-ascii
quoted-pair    = "\" ( %x20-7E / non-ascii )
domain-literal = "[" *dtext "]"
dtext          = %x21-5A / %x5E-7E
non-ascii      = %xA0-2027 / %x202A-D7FF / %xE000-10FFFF
ALPHA          = %x41-5A / %x61-7A
DIGIT          = %x30-39
DQUOTE         = %x22
`

// Maximum lengths in bytes (RFC 5321 4.5.3.1). Servers accept longer local parts, such as those of
// mailing lists.
const (
	maxLocal  = 256
	maxDomain = 255
)

// Address is a mail address.
type Address struct {
	Local  string // the local part without quotes and escapes
	Domain string // as written: a name, or a literal with its brackets
}

// Parse parses an addr-spec. The error says what is wrong, without the text.
func Parse(s string) (Address, error) {
	r := reader{s: s}
	a, err := r.address()
	if err == nil && r.i < len(s) {
		err = r.unexpected("the address")
	}
	if err != nil {
		return Address{}, err
	}
	return a, nil
}

// String returns the address as SMTP writes it (RFC 5321 4.1.2): the local part in quotes only if
// it needs them. It is an addr-spec.
func (a Address) String() string { return a.local() + "@" + a.Domain }

// local returns the local part as an addr-spec has it.
func (a Address) local() string {
	plain := a.Local != ""
	for _, atom := range strings.Split(a.Local, ".") {
		plain = plain && atom != ""
		for _, c := range atom {
			plain = plain && isAtext(c)
		}
	}
	if plain {
		return a.Local
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.Local) + `"`
}

// IsASCII reports whether the local part is ASCII. Another one needs a server with SMTPUTF8
// (RFC 6531).
func (a Address) IsASCII() bool { return octet.IsASCII(a.Local) }

// ToASCII returns the address with a domain name in ASCII (RFC 5891), as an envelope has it. It
// fails if the domain is not a name or literal that mail can be sent to. The local part is
// unchanged, since only its own server may interpret it (RFC 5321 2.3.11).
func (a Address) ToASCII() (Address, error) {
	if strings.HasPrefix(a.Domain, "[") {
		if _, ok := a.Literal(); !ok {
			return Address{}, errors.New("the domain in brackets is no IP address, as in [192.0.2.1] and [IPv6:2001:db8::1]")
		}
		return a, nil
	}
	name, err := a.Domain, error(nil)
	if !octet.IsASCII(name) {
		if name, err = hostname.ToASCII(name); err != nil {
			return Address{}, errors.New("the domain is not a valid internationalized name")
		}
	}
	if len(name) > hostname.MaxName {
		return Address{}, errors.New("the domain is longer than a domain name can be")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > hostname.MaxLabel || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, func(c rune) bool { return c > 0x7F || !hostname.IsLabel(byte(c)) }) {
			return Address{}, errors.New("the domain is not a domain name")
		}
	}
	return Address{a.Local, name}, nil
}

// Literal returns the IP address of a domain literal (RFC 5321 4.1.3).
func (a Address) Literal() (netip.Addr, bool) {
	text, open := strings.CutPrefix(a.Domain, "[")
	text, end := strings.CutSuffix(text, "]")
	if !open || !end {
		return netip.Addr{}, false
	}
	six := len(text) > 5 && strings.EqualFold(text[:5], "IPv6:")
	if six {
		text = text[5:]
	}
	ip, err := netip.ParseAddr(text)
	return ip, err == nil && ip.Is6() == six && ip.Zone() == ""
}

// reader reads addresses. i is the offset of the next byte.
type reader struct {
	s string
	i int
}

// address reads an addr-spec without blanks.
func (r *reader) address() (Address, error) {
	var local strings.Builder
	for {
		if err := r.word(&local); err != nil {
			return Address{}, err
		}
		if !r.take('.') {
			break
		}
		local.WriteByte('.')
	}
	if !r.take('@') {
		if r.i == len(r.s) {
			return Address{}, errors.New("the @ and the domain are missing")
		}
		return Address{}, r.unexpected("the local part")
	}
	begin := r.i
	if err := r.domain(); err != nil {
		return Address{}, err
	}
	return newAddress(local.String(), r.s[begin:r.i])
}

// newAddress checks the lengths of an address.
func newAddress(local, domain string) (Address, error) {
	if len(local) > maxLocal || len(domain) > maxDomain {
		return Address{}, fmt.Errorf("it is longer than %d bytes before the @ or %d behind it", maxLocal, maxDomain)
	}
	return Address{local, domain}, nil
}

// word reads an atom or a quoted string, and appends its value.
func (r *reader) word(to *strings.Builder) error {
	if r.i < len(r.s) && r.s[r.i] == '"' {
		return r.quoted(to)
	}
	begin := r.i
	if !r.atom() {
		return r.unexpected("the local part")
	}
	to.WriteString(r.s[begin:r.i])
	return nil
}

// atom skips an atom. It reports whether there is one.
func (r *reader) atom() bool {
	begin := r.i
	for r.i < len(r.s) {
		c, n := utf8.DecodeRuneInString(r.s[r.i:])
		if !isAtext(c) || c == utf8.RuneError && n == 1 {
			break
		}
		r.i += n
	}
	return r.i > begin
}

// quoted reads a quoted string.
func (r *reader) quoted(to *strings.Builder) error {
	for r.i++; r.i < len(r.s); {
		c, n := utf8.DecodeRuneInString(r.s[r.i:])
		switch {
		case c == '"':
			r.i++
			return nil
		case c == '\\' && r.i+1 < len(r.s):
			r.i++
			c, n = utf8.DecodeRuneInString(r.s[r.i:])
		case c == '\\':
			return errOpen
		}
		if c == utf8.RuneError && n == 1 || c < ' ' || c == 0x7F || c > 0x7F && !isBeyondASCII(c) {
			return r.unexpected("a quoted text")
		}
		to.WriteString(r.s[r.i : r.i+n])
		r.i += n
	}
	return errOpen
}

var errOpen = errors.New("a quotation mark is not closed")

// domain skips a domain.
func (r *reader) domain() error {
	if r.take('[') {
		for r.i < len(r.s) && r.s[r.i] > ' ' && r.s[r.i] < 0x7F && r.s[r.i] != '[' && r.s[r.i] != '\\' {
			if r.i++; r.s[r.i-1] == ']' {
				return nil
			}
		}
		return r.unexpected("the domain")
	}
	for {
		if !r.atom() {
			return r.unexpected("the domain")
		}
		if !r.take('.') {
			return nil
		}
	}
}

// take skips a byte if it is the next one.
func (r *reader) take(c byte) bool {
	if r.i < len(r.s) && r.s[r.i] == c {
		r.i++
		return true
	}
	return false
}

// unexpected is the error for the next byte.
func (r *reader) unexpected(where string) error {
	if r.i == len(r.s) {
		return fmt.Errorf("%s is not complete", where)
	}
	if c := r.s[r.i]; c <= ' ' || c >= 0x7F {
		return fmt.Errorf("%s cannot contain the byte %02X", where, c)
	}
	return fmt.Errorf("%s cannot contain %q here", where, r.s[r.i])
}

// isAtext reports whether an atom may contain c.
func isAtext(c rune) bool {
	return c > ' ' && c < 0x7F && strings.IndexByte(`()<>@,;:\".[]`, byte(c)) < 0 || c > 0x7F && isBeyondASCII(c)
}

// isBeyondASCII reports whether an address may contain a character beyond ASCII: control characters
// and line ends do not count.
func isBeyondASCII(c rune) bool { return c >= 0xA0 && c != 0x2028 && c != 0x2029 }

// Key returns an address for comparing: domains have no case, local parts have (RFC 5321 2.4).
func (a Address) Key() Address { return Address{a.Local, strings.ToLower(a.Domain)} }
