package locator

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"locator/internal/octet"
)

// Canonical returns the canonical form of the URL, which serves as a key: two URLs have the same canonical text if RFC 1738 and the
// RFCs after it say that they locate the same, byte by byte and on the same server. It contains ASCII only, and is its own
// canonical form. It is the URL that [Current] parses, or [RFC1738] if only that accepts it, so that equal texts are equal values
// (==), whichever syntax parsed u.
//
//   - Scheme and host are in lower case; the host is that of [URL.ASCIIHost], an IPv6 address as RFC 5952 writes it. A default
//     port, an empty port and leading zeros of a port are removed.
//   - Hexadecimal digits of escapes are in upper case. Escapes are decoded of characters that are unreserved everywhere: letters,
//     digits and "$-_.+!*'(),", except "," in mailto; in newsgroups only those of groups, and in http, https
//     and unknown schemes only letters, digits and "-._". "~" becomes "%7E", and characters beyond ASCII become escapes.
//   - ftp: the typecode is in lower case. gopher: "/1" becomes no path. http, https, telnet: no path becomes "/". file: "//"
//     is always present, and localhost is removed. news: nothing becomes "*". Message-ids and mail addresses keep their case, also
//     in the host.
//   - The fragment, which is not part of the URL, is removed.
//
// Nothing else changes; in particular, dot segments and double slashes stay (RFC 1738 2.2).
func (u URL) Canonical() URL {
	if u.IsZero() {
		return u
	}
	// Most results fit into a buffer on the stack, and many are the text itself.
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

// canonical appends the canonical form to b and parses it.
func (u URL) canonical(b []byte) URL {
	later, ok := u.readLater()
	if ok {
		u = later
	}
	b = u.appendCanonical(b)
	if ok && string(b) == u.text {
		return u
	}
	return reread(string(b))
}

// readLater parses a URL again with Current if RFC 1738 may have parsed it in another way, since the canonical form is that of
// Current. ok is false if Current refuses it.
func (u URL) readLater() (later URL, ok bool) {
	again := u.scheme == otherScheme
	switch u.grammar() {
	case newsGrammar:
		again = strings.HasPrefix(u.text[u.colon+1:], "//")
	case mailtoGrammar, nntpGrammar:
		again = u.has&isLater == 0
	}
	if !again {
		return u, true
	}
	later, err := Current.Parse(u.text)
	return later, err == nil
}

// appendCanonical appends the canonical form.
func (u URL) appendCanonical(b []byte) []byte {
	b = octet.AppendLower(b, u.text[:u.colon+1])
	return u.grammar().canonical(u, b)
}

// reread parses a text that was made from a URL: by Current, or by RFC1738 if only that accepts it. It panics if neither does, which
// no such text causes.
func reread(text string) URL {
	if u, err := Current.Parse(text); err == nil {
		return u
	}
	return RFC1738.MustParse(text)
}

// Equal reports whether a and b are the same locator: their canonical texts are the same.
func Equal(a, b URL) bool { return a.Canonical().text == b.Canonical().text }

// undoUnreserved reports whether RFC 1738 reserves c nowhere, so that its escape can be decoded.
func undoUnreserved(c byte) bool { return strictTable[c]&ucharClass != 0 }

// undoMailto is undoUnreserved for mailto: "," separates addresses in RFC 6068.
func undoMailto(c byte) bool { return c != ',' && undoUnreserved(c) }

// undoHTTP is undoUnreserved for http: RFC 3986 does not reserve c either. Web servers tell other characters from their escapes.
func undoHTTP(c byte) bool {
	return strictTable[c]&(alphaClass|digitClass) != 0 || c == '-' || c == '.' || c == '_'
}

func undoNothing(byte) bool { return false }

// appendUndone appends s. It decodes the escapes that undo allows, writes the others in upper case, and escapes "~" and all beyond
// ASCII.
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

// appendPlain appends s, which has no escapes, and escapes "~" and all beyond ASCII.
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

// pathCanonical appends the login, a "/" and the path: the canonical form in several schemes.
func (u URL) pathCanonical(b []byte, undo func(byte) bool) []byte {
	path, _ := u.Path()
	return appendUndone(append(u.appendLogin(b, undoUnreserved), '/'), path, undo)
}

// appendHost appends a host in lower case, with the hexadecimal digits of its escapes in upper case, and an IPv6 address as RFC 5952
// writes it: one key for all notations of one address.
func appendHost(b []byte, host string) []byte {
	if strings.HasPrefix(host, "[") && host[1]|0x20 != 'v' { // no IPvFuture
		return append(netip.MustParseAddr(host[1:len(host)-1]).AppendTo(append(b, '[')), ']')
	}
	for {
		i := strings.IndexByte(host, '%')
		if i < 0 {
			return octet.AppendLower(b, host)
		}
		b = append(octet.AppendLower(b, host[:i]), host[i:i+3]...) // ASCIIHost has them so
		host = host[i+3:]
	}
}

// appendHostport appends the host in lower case, and the port unless it is the default.
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
