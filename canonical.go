package locator

import (
	"locator/internal/octet"
	"strings"
	"unicode/utf8"
)

// Canonical gives the key of a locator: two URLs have the same canonical text if RFC 1738 and the RFCs after it say that
// they mean the same, octet by octet and to the same peer. It is the same for both syntaxes, that of what Current reads, and
// its own canonical form. It holds ASCII only.
//
//   - Scheme and host in lower case, the host as [URL.ASCIIHost] has it; no default port nor an empty one, no leading zeros of
//     a port.
//   - Hexadecimal digits of escapes in upper case. Escapes undone of characters that are unreserved wherever they stand:
//     letters, digits and "$-_.+!*'(),"; of these "," not in mailto, "+" not in z39.50, in newsgroups only those of groups, and
//     in http, https and schemes that are not predefined only letters, digits and "-._". "~" becomes "%7E", and what is
//     beyond ASCII the escapes of its octets.
//   - ftp: the typecode in lower case. gopher: no path for "/1". http, https, telnet, tn3270: "/" for no path. file: "//"
//     always, and no host for localhost. news: "*" for nothing. Message-ids and mail addresses keep their case, the host in
//     them too.
//   - No fragment: it is no part of the URL.
//
// Nothing else changes; in particular no dot segments or double slashes go (RFC 1738 2.2).
func (u URL) Canonical() URL {
	if u.IsZero() {
		return u
	}
	// Most keys are made where they cost no allocation, and many are the text itself.
	const short, long = 256, 4096
	switch n := len(u.text); {
	case n < short:
		var b [short]byte
		return u.canonical(b[:0])
	case n < long:
		var b [long]byte
		return u.canonical(b[:0])
	default:
		return u.canonical(make([]byte, 0, n+8))
	}
}

// canonical makes the key in b.
func (u URL) canonical(b []byte) URL {
	if later, ok := u.readLater(); ok {
		b = later.appendCanonical(b)
	} else {
		b = u.appendCanonical(b)
	}
	if string(b) == u.text {
		return u
	}
	return u.reread(string(b))
}

// readLater reads a URL again by Current where RFC 1738 may have read it in another way: the key is that of Current in both
// syntaxes. ok is false where Current refuses it.
func (u URL) readLater() (later URL, ok bool) {
	if u.scheme == otherScheme || u.grammar() == newsGrammar && strings.HasPrefix(u.text[u.colon+1:], "//") {
		later, err := Current.Parse(u.text)
		return later, err == nil
	}
	return u, true
}

// appendCanonical appends the key.
func (u URL) appendCanonical(b []byte) []byte {
	b = octet.AppendLower(b, u.text[:u.colon+1])
	return u.grammar().canonical(u, b)
}

// reread reads the key of u by the syntax that reads it as u was read: RFC1738 where that gives the same kind of URL with
// the same parts, else Current if it gives the same kind. That the key is a URL again is Canonical's promise, which tests
// hold it to.
func (u URL) reread(key string) URL {
	bits := hasUser | hasPassword | hasSearch | isLater
	if u.grammar() != fileGrammar { // which may gain the "//" of its host
		bits |= hasHost
	}
	strict, err := RFC1738.Parse(key)
	if err == nil && strict.scheme == u.scheme && (strict.has^u.has)&bits == 0 {
		return strict
	}
	if later, err := Current.Parse(key); err == nil && later.scheme == u.scheme {
		return later
	}
	if err != nil {
		panic("locator: a canonical text is no URL: " + err.Error())
	}
	return strict
}

// Equal reports whether a and b are the same locator: their canonical texts are the same.
func Equal(a, b URL) bool { return a.Canonical().text == b.Canonical().text }

// Which octets an escape is undone for.

// undoUnreserved: those that RFC 1738 reserves nowhere.
func undoUnreserved(c byte) bool { return strictTable[c]&ucharClass != 0 }

// undoMailto: "," separates addresses in RFC 6068.
func undoMailto(c byte) bool { return c != ',' && undoUnreserved(c) }

// undoHTTP: those that RFC 3986 reserves nowhere either. Web servers do tell the others from their escapes.
func undoHTTP(c byte) bool {
	return strictTable[c]&(alphaClass|digitClass) != 0 || c == '-' || c == '.' || c == '_'
}

func undoNothing(byte) bool { return false }

// appendUndone appends part s with some escapes undone, the others in upper case, and "~" and all beyond ASCII escaped.
func appendUndone(b []byte, s string, undo func(byte) bool) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return appendPlain(b, s)
		}
		b = appendPlain(b, s[:i])
		switch c, escaped := octet.At(s, i); {
		case !escaped:
			b = append(b, '%')
			i -= 2
		case undo(c):
			b = append(b, c)
		default:
			b = octet.AppendEscape(b, c)
		}
		s = s[i+3:]
	}
}

// appendPlain appends s, which has no escapes, with "~" and all beyond ASCII escaped.
func appendPlain(b []byte, s string) []byte {
	for {
		i := strictSets.of(xcharClass).Length(s)
		b = append(b, s[:i]...)
		if i == len(s) {
			return b
		}
		if c := s[i]; c == '~' || c >= utf8.RuneSelf {
			b = octet.AppendEscape(b, c)
		} else {
			b = append(b, c)
		}
		s = s[i+1:]
	}
}

// appendLogin appends "//", user, password, host and port.
func (u URL) appendLogin(b []byte, undo func(byte) bool) []byte {
	b = append(b, "//"...)
	if user, ok := u.User(); ok {
		b = appendUndone(b, user, undo)
		if password, ok := u.Password(); ok {
			b = appendUndone(append(b, ':'), password, undo)
		}
		b = append(b, '@')
	}
	return u.appendHostport(b)
}

// appendHost appends a host in lower case, the hexadecimal digits of its escapes in upper case.
func appendHost(b []byte, host string) []byte {
	for {
		i := strings.IndexByte(host, '%')
		if i < 0 {
			return octet.AppendLower(b, host)
		}
		b = append(octet.AppendLower(b, host[:i]), host[i:i+3]...) // ASCIIHost has them so
		host = host[i+3:]
	}
}

// appendHostport appends the host in lower case and the port if it is not the default.
func (u URL) appendHostport(b []byte) []byte {
	b = appendHost(b, u.ASCIIHost())
	port := u.Port()
	for len(port) > 1 && port[0] == '0' {
		port = port[1:]
	}
	if n, ok := u.PortNumber(); port == "" || ok && n == u.row().Port {
		return b
	}
	return append(append(b, ':'), port...)
}
