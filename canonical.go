package locator

// Canonical gives the key of a locator: two URLs have the same canonical text if RFC 1738 and the RFCs after it say that
// they mean the same, octet by octet and to the same peer. It is the same for both syntaxes, and its own canonical form.
//
//   - Scheme and host in lower case; no default port, no leading zeros of a port.
//   - Hexadecimal digits of escapes in upper case. Escapes undone of characters that are unreserved wherever they stand:
//     letters, digits and "$-_.+!*'(),"; of these "," not in mailto, and in http, https and schemes that are not
//     predefined only letters, digits and "-._". "~" becomes "%7E".
//   - ftp: the typecode in lower case. gopher: no path for "/1". http, https, telnet: "/" for no path. file: no host for
//     localhost. Message-ids and mail addresses keep their case, the host in them too.
//   - No fragment: it is no part of the URL.
//
// Nothing else changes; in particular no dot segments or double slashes go (RFC 1738 2.2).
func (u URL) Canonical() URL {
	if u.IsZero() {
		return u
	}
	if u.kind == kindOther && kindOf(u.text[:u.colon]) == kindHTTPS {
		// RFC1738 reads https as any other scheme; the key is still the one that Current gives.
		if web, err := Current.Parse(u.text); err == nil {
			return reparse(RFC1738, web.Canonical().text)
		}
	}
	b := appendLower(make([]byte, 0, len(u.text)+8), u.text[:u.colon+1])
	switch u.kind {
	case kindFTP:
		b = u.ftpCanonical(b)
	case kindHTTP, kindHTTPS:
		b = u.httpCanonical(b)
	case kindGopher:
		b = u.gopherCanonical(b)
	case kindMailto:
		b = u.mailtoCanonical(b)
	case kindNews:
		b = u.newsCanonical(b)
	case kindNNTP:
		b = u.nntpCanonical(b)
	case kindTelnet:
		b = u.telnetCanonical(b)
	case kindWAIS:
		b = u.waisCanonical(b)
	case kindFile:
		b = u.fileCanonical(b)
	case kindProspero:
		b = u.prosperoCanonical(b)
	default:
		b = u.otherCanonical(b)
	}
	if string(b) == u.text {
		return u
	}
	if u.kind == kindHTTPS || u.hasIPv6() {
		return reparse(Current, string(b))
	}
	return reparse(RFC1738, string(b))
}

// Equal reports whether a and b are the same locator: their canonical texts are the same.
func Equal(a, b URL) bool { return a.Canonical().text == b.Canonical().text }

// reparse reads a text that Canonical has made. That it is a URL again is Canonical's promise, which tests hold it to.
func reparse(p *Parser, text string) URL {
	u, err := p.Parse(text)
	if err != nil {
		panic("locator: a canonical text is no URL: " + err.Error())
	}
	return u
}

// hasIPv6 reports whether the host is an IPv6 literal.
func (u URL) hasIPv6() bool { return u.hostEnd > u.host && u.text[u.host] == '[' }

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

// appendUndone appends part s with some escapes undone, the others in upper case, and "~" escaped.
func appendUndone(b []byte, s string, undo func(byte) bool) []byte {
	for i := 0; i < len(s); i++ {
		c, escaped := octetAt(s, i)
		switch {
		case escaped && undo(c):
			b = append(b, c)
			i += 2
		case escaped:
			b = appendEscape(b, c)
			i += 2
		case s[i] == '~':
			b = append(b, "%7E"...)
		default:
			b = append(b, s[i])
		}
	}
	return b
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

// appendHostport appends the host in lower case and the port if it is not the default.
func (u URL) appendHostport(b []byte) []byte {
	b = appendLower(b, u.Host())
	port := u.Port()
	for len(port) > 1 && port[0] == '0' {
		port = port[1:]
	}
	if n, ok := u.PortNumber(); port == "" || ok && n == DefaultPort(u.Scheme()) {
		return b
	}
	return append(append(b, ':'), port...)
}
