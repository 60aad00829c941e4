package locator

import (
	"strconv"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// URL is a parsed URL: the text as it was read and the offsets of its parts. It is small, immutable and comparable, and parsing
// copies nothing. The zero value is no URL.
//
// Two URLs are == if they have the same text, fragment included, and were parsed in the same way. [Equal] compares what they
// locate.
type URL struct {
	text   string
	scheme schemeID
	has    parts

	// Offsets into text: scheme ":" "//" user ":" password "@" host ":" port "/" path "?" search "#" fragment.
	// Only colon and end are set for every URL.
	colon   uint32 // the ":" after the scheme
	userEnd uint32
	host    uint32 // where it begins
	hostEnd uint32
	portEnd uint32
	pathEnd uint32
	end     uint32 // of the URL proper
}

// parts is the set of parts that a URL has.
type parts uint8

const (
	hasUser parts = 1 << iota
	hasPassword
	hasHost // an authority follows "//"; its host may be empty
	hasPort
	hasPath
	hasSearch
	isLater // parsed by a later RFC, which the text alone does not show: mailto and nntp in Current
)

// IsZero reports whether u is the zero value.
func (u URL) IsZero() bool { return u.scheme == noScheme }

// Scheme returns the name of the scheme in lower case (RFC 1738 2.1); "" for the zero URL.
func (u URL) Scheme() string {
	if u.scheme == otherScheme {
		return octet.Lower(u.text[:u.colon])
	}
	return u.row().Name
}

// SchemePart returns the scheme-specific part as written (RFC 1738 2.1): everything after the colon except the fragment. It
// includes the password.
func (u URL) SchemePart() string {
	if u.IsZero() {
		return ""
	}
	return u.text[u.colon+1 : u.end]
}

// User returns the user name as written (RFC 1738 3.1). An empty user is present; ok is false if there is none.
func (u URL) User() (user string, ok bool) {
	if u.has&hasUser == 0 {
		return "", false
	}
	return u.text[u.colon+3 : u.userEnd], true
}

// Password returns the password as written (RFC 1738 3.1). An empty password is present; ok is false if there is none.
func (u URL) Password() (password string, ok bool) {
	if u.has&hasPassword == 0 {
		return "", false
	}
	return u.text[u.userEnd+1 : u.host-1], true
}

// HasHost reports whether u has the common Internet scheme syntax (RFC 1738 3.1) and so a host, which may be empty as in
// "file:///x". Mailto URLs never have one, news URLs only in Current (RFC 5538), and those of an unknown scheme if "//" and a login
// follow the colon.
func (u URL) HasHost() bool { return u.has&hasHost != 0 }

// Host returns the host as written, "" if there is none: a name, four digit groups, or in Current an IP literal in brackets or
// any other name that RFC 3986 3.2.2 allows, with its escapes and characters beyond ASCII. Use [URL.ASCIIHost] to look it up.
func (u URL) Host() string { return u.text[u.host:u.hostEnd] }

// ASCIIHost returns the host in the form to look up: without escapes and in ASCII (RFC 3986 3.2.2, RFC 3987 3.1, RFC 5891). A
// host in plain ASCII is returned as written, with brackets and case. A host that is no domain name keeps the escapes of the
// bytes that domain names cannot contain; no resolver finds it.
func (u URL) ASCIIHost() string { return hostname.ASCII(u.Host()) }

// Port returns the digits of the port as written; "" if it is absent or, in Current, empty (RFC 3986 3.2.3). It may have leading
// zeros and exceed 65535.
func (u URL) Port() string {
	if u.has&hasPort == 0 {
		return ""
	}
	return u.text[u.hostEnd+1 : u.portEnd]
}

// PortNumber returns the port as a number: that of the URL, else the default of the scheme ([DefaultPort]) if the URL has a host. ok is
// false if there is neither, or if the port is 0 or over 65535, which the grammar allows (RFC 1738 3.1).
func (u URL) PortNumber() (port uint16, ok bool) {
	digits := u.Port()
	if digits == "" {
		if port = u.row().Port; !u.HasHost() { // a news URL names its server or none
			port = 0
		}
		return port, port != 0
	}
	n := 0
	for i := range len(digits) {
		if n = 10*n + int(digits[i]-'0'); n > 65535 {
			return 0, false
		}
	}
	return uint16(n), n != 0
}

// Addr returns the host and port to connect to, in the form that net.Dial expects: [URL.ASCIIHost] and [URL.PortNumber]. ok is false
// if the URL has no host or no valid port.
func (u URL) Addr() (addr string, ok bool) {
	host := u.ASCIIHost()
	port, ok := u.PortNumber()
	if host == "" || !ok {
		return "", false
	}
	return host + ":" + strconv.Itoa(int(port)), true
}

// Path returns the url-path as written, without the "/" before it (RFC 1738 3.1). An empty path is present; ok is false if there
// is none. In http and https the path ends before "?". Mailto URLs have no path, news URLs have one only after a server. In Current, a
// file URL without a host has a path too.
func (u URL) Path() (path string, ok bool) {
	if u.has&hasPath == 0 {
		return "", false
	}
	return u.text[u.portEnd+1 : u.pathEnd], true
}

// Search returns what follows the "?" as written: of an http or https URL (RFC 1738 3.3), in Current also of a mailto URL, where it
// holds the header fields (RFC 6068 2), and of a URL of an unknown scheme that has no path before it.
func (u URL) Search() (search string, ok bool) {
	if u.has&hasSearch == 0 {
		return "", false
	}
	return u.text[u.pathEnd+1 : u.end], true
}

// Fragment returns what follows the "#" of a reference that [Current] parsed, as written. It is kept beside the URL and is not
// part of it (RFC 1738 appendix, RFC 3986 3.5).
func (u URL) Fragment() (fragment string, ok bool) {
	if int(u.end) == len(u.text) {
		return "", false
	}
	return u.text[u.end+1:], true
}

// WithoutFragment returns the URL without its fragment.
func (u URL) WithoutFragment() URL {
	u.text = u.text[:u.end]
	return u
}

// Text returns the whole text as it was parsed, with password and fragment. To show a URL, use [URL.Redacted].
func (u URL) Text() string { return u.text }

// Hierarchical reports whether "/" in the path separates the levels of a hierarchy, so that relative references can be resolved:
// in ftp, http, https and file URLs (RFC 1738 2.3), also in those of ftps.
func (u URL) Hierarchical() bool { return u.row().Hierarchical }
