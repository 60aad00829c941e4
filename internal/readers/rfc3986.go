package readers

import (
	"net/netip"
	"strings"

	"locator"
)

// readRFC3986 splits a text as RFC 3986 appendix B does, which works with any text, and then validates each part with the
// rules of appendix A. A relative reference is not a URI. As most programs without validation do, it splits the authority
// (section 3.2) at the last "@" and at the last ":" after that.
//
// It shares no code with package locator, so that each can test the other.
func readRFC3986(text string) Reading {
	c := checker{r: Reading{Reader: RFC3986, Split: true}}
	rest, at := text, 0 // at is where rest begins in text
	i := strings.IndexAny(text, ":/?#")
	if i > 0 && text[i] == ':' {
		c.scheme(text[:i])
		rest, at = text[i+1:], i+1
	} else {
		c.refuse(max(i, 0), "scheme", "the scheme and its colon are missing")
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		end := authorityEnd(after)
		c.authority(after[:end], at+len("//"))
		rest, at = after[end:], at+len("//")+end
	}
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	path, query, hasQuery := strings.Cut(rest, "?")
	c.r.Path, c.r.Query, c.r.Fragment = path, optional(query, hasQuery), optional(fragment, hasFragment)
	c.chars(path, at, "path", pchar+"/")
	c.chars(query, at+len(path)+1, "query", pchar+"/?")
	c.chars(fragment, at+len(rest)+1, "fragment", pchar+"/?")
	return c.r
}

// Characters of RFC 3986 appendix A in addition to letters, digits and escapes.
const (
	unreserved = "-._~"
	subDelims  = "!$&'()*+,;="
	regName    = unreserved + subDelims
	userinfo   = regName + ":"
	pchar      = userinfo + "@"
)

// checker holds the parts and the first error.
type checker struct{ r Reading }

func (c *checker) refuse(offset int, rule, msg string) {
	if c.r.Err == nil {
		c.r.Err = &Refusal{Offset: offset, Rule: rule, Msg: msg}
	}
}

// scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
func (c *checker) scheme(s string) {
	c.r.Scheme = lower(s)
	for i := range len(s) {
		if !isAlpha(s[i]) && (i == 0 || !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0) {
			c.refuse(i, "scheme", "this byte is not allowed in a scheme, or not as its first")
		}
	}
}

// authority = [ userinfo "@" ] host [ ":" port ]
func (c *checker) authority(s string, at int) {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		user, password, hasPassword := strings.Cut(s[:i], ":")
		c.r.User, c.r.Password = locator.Some(user), optional(password, hasPassword)
		c.chars(s[:i], at, "userinfo", userinfo)
		s, at = s[i+1:], at+i+1
	}
	host := s
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		host = s[:i]
		c.r.Port = locator.Some(s[i+1:])
	}
	c.r.Host = locator.Some(host)
	if strings.HasPrefix(host, "[") {
		c.literal(host, at)
	} else {
		c.chars(host, at, "reg-name", regName)
	}
	port := c.r.Port.Or("")
	for i := range len(port) {
		if !isDigit(port[i]) {
			c.refuse(at+len(host)+1+i, "port", "a port consists of digits")
		}
	}
}

// literal = "[" ( IPv6address / IPvFuture ) "]"
func (c *checker) literal(s string, at int) {
	end := strings.IndexByte(s, ']')
	switch {
	case end < 0:
		c.refuse(at+len(s), "IP-literal", `the closing "]" is missing`)
		return
	case end+1 < len(s):
		c.refuse(at+end+1, "IP-literal", `only a port may follow "]"`)
		return
	}
	inner := s[1:end]
	if a, err := netip.ParseAddr(inner); err == nil && a.Is6() && a.Zone() == "" {
		return
	}
	version, address, ok := strings.Cut(inner, ".")
	if ok && len(version) > 1 && version[0]|0x20 == 'v' && allHex(version[1:]) && address != "" && allIn(address, userinfo) {
		return
	}
	c.refuse(at+1, "IP-literal", "neither an IPv6 address nor IPvFuture")
}

// chars checks that a part consists of letters, digits, escapes and the characters of more.
func (c *checker) chars(s string, at int, rule, more string) {
	for i := 0; i < len(s); i++ {
		switch {
		case isAlpha(s[i]) || isDigit(s[i]) || strings.IndexByte(more, s[i]) >= 0:
		case s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 2
		case s[i] == '%':
			c.refuse(at+i, rule, `two hexadecimal digits must follow "%"`)
			return
		default:
			c.refuse(at+i, rule, "this byte is not allowed here")
			return
		}
	}
}

func allIn(s, more string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && !isDigit(s[i]) && strings.IndexByte(more, s[i]) < 0 {
			return false
		}
	}
	return true
}

func allHex(s string) bool {
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// lower returns s with the letters A to Z in lower case.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
