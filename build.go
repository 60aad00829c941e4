package locator

import (
	"locator/internal/hostname"
	"locator/internal/octet"
)

// Build writes a view as a URL. It checks the parts and escapes exactly what must be escaped (RFC 1738 2.2). Parsing the result
// gives an equal view again. The error is a *[SyntaxError] that names the part that cannot be written.
//
// The result is a URL of RFC 1738 that [RFC1738] and [Current] parse in the same way: bytes with a meaning in Current only, such
// as "?" in a mail address, are escaped too. Only what RFC 1738 cannot express (https, a user in http, an IPv6 host, several mail
// addresses, the schemes that came later) needs Current.
func Build(v View) (URL, error) {
	if v == nil {
		return URL{}, &SyntaxError{Rule: "url", Msg: "there is no view", Hint: "pass a view, such as *FTP", build: true}
	}
	b := builder{scheme: v.Scheme()}
	if id := schemes.find(b.scheme); id >= firstScheme {
		_, other := v.(*Other)
		b.later = !other && !schemes.rows[id].strict
	} else if _, other := v.(*Other); !other {
		b.fail(0, "scheme", "2.1", "no scheme has this grammar over TLS", "leave Secure unset")
		return URL{}, b.err
	}
	b.text(b.scheme + ":")
	v.build(&b)
	if b.err != nil {
		return URL{}, b.err
	}
	text := string(b.buf)
	if !b.later {
		if u, err := RFC1738.Parse(text); err == nil {
			return u, nil
		}
	}
	u, err := Current.Parse(text)
	if other, ok := v.(*Other); ok && (err != nil || u.grammar() != otherGrammar || u.SchemePart() != other.Part) {
		_, err = RFC1738.Parse(text) // a scheme with its own rule, or a fragment: Current has no such view
	}
	if err != nil {
		e := *err.(*SyntaxError)
		e.build, e.Offset = true, e.Offset-len(b.scheme)-1
		return URL{}, &e
	}
	return u, nil
}

// builder writes one URL and keeps the first error.
type builder struct {
	buf    []byte
	scheme string
	later  bool // only Current accepts it, or gives it this meaning
	err    *SyntaxError
}

// fail records that a part cannot be written, from its byte off on.
func (b *builder) fail(off int, rule, section, msg, hint string) {
	if b.err == nil {
		b.err = &SyntaxError{Offset: off, Scheme: b.scheme, Rule: rule, Section: section, Msg: msg, Hint: hint, build: true}
	}
}

// text writes s as it is.
func (b *builder) text(s string) { b.buf = append(b.buf, s...) }

// escaped writes the characters of the class as they are and all other bytes as escapes.
func (b *builder) escaped(s string, c class) { b.item(s, c, 0) }

// item is escaped for an item of a list. The class contains the delimiter of the list, which is escaped here.
func (b *builder) item(s string, c class, delimiter byte) {
	for i := range len(s) {
		if strictTable[s[i]]&c != 0 && s[i] != delimiter {
			b.buf = append(b.buf, s[i])
		} else {
			b.buf = octet.AppendEscape(b.buf, s[i])
		}
	}
}

// segments writes the segments of a path, each after a "/".
func (b *builder) segments(list []string, c class) {
	for _, s := range list {
		b.text("/")
		b.item(s, c, '/')
	}
}

// digits writes a number of the given rule.
func (b *builder) digits(s, rule, section, msg string) {
	for i := range len(s) {
		if strictTable[s[i]]&digitClass == 0 {
			b.fail(i, rule, section, msg, "use 0 to 9 only")
		}
	}
	if s == "" {
		b.fail(0, rule, section, msg, "use 0 to 9, once at least")
	}
	b.text(s)
}

// login writes "//", user, password, host and port (RFC 1738 3.1).
func (b *builder) login(l Login) {
	b.text("//")
	user, hasUser := l.User.Get()
	password, hasPassword := l.Password.Get()
	if hasPassword && !hasUser {
		b.fail(0, "password", "3.1", "there is a password but no user", "set User; it may be empty")
	}
	if hasUser {
		b.escaped(user, hostClass) // userClass, but a "?" ends the authority in RFC 3986
		if hasPassword {
			b.text(":")
			b.escaped(password, hostClass)
		}
		b.text("@")
	}
	b.hostport(l.Hostport)
}

// hostport writes host and port.
func (b *builder) hostport(h Hostport) {
	b.host(h.Host)
	if h.Port != "" {
		b.text(":")
		b.digits(h.Port, "port", "3.1", "a port is digits")
	}
}

// host writes a host or an IP literal in its brackets. Of the hosts that only Current parses it writes those that can be names:
// letters, digits, "-", "." and "_" in any order. No resolver finds what else RFC 3986 3.2.2 allows.
func (b *builder) host(s string) {
	end, ok := scanWholeHost(s)
	switch {
	case ok || s == "":
	case s[0] == '[':
		r := reader{s: s, t: currentTable, current: true, fault: new(fault)}
		end = r.literal(0)
		if ok = end == len(s); end < 0 {
			end = r.fault.off
		}
	case !octet.IsASCII(s):
		b.fail(0, "host", "RFC 3987 3.1", "the host is not in ASCII", "write it as "+hostname.ASCII(s))
	default:
		for end = 0; end < len(s) && (strictTable[s[end]]&labelClass != 0 || s[end] == '.' || s[end] == '_'); end++ {
		}
		ok = end == len(s)
	}
	if !ok {
		b.failHost(end, "host", s)
	}
	b.text(s)
}

// failHost records what is wrong with a host, at byte off of s.
func (b *builder) failHost(off int, rule, s string) {
	msg := "the host ends too early"
	if off < len(s) {
		msg = octet.Quote(s[off]) + " is not allowed in a host"
	}
	b.fail(off, rule, "3.1", msg, hintHost)
}

// scanWholeHost checks that s is a host and nothing else. If ok is false, end is the first wrong byte.
func scanWholeHost(s string) (end int, ok bool) {
	r := reader{s: s, t: strictTable}
	end, ok = r.scanHost(0)
	return end, ok && end == len(s)
}
