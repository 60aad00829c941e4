package locator

import (
	"locator/internal/hostname"
	"locator/internal/octet"
	"strconv"
)

// URL is a locator: the text as read and the places of its parts. It is small, immutable and comparable; reading one
// copies nothing. The zero value is no URL.
//
// Two URLs are == if they have the same text, fragment included, and it was understood in the same way; [Equal]
// compares locators.
type URL struct {
	text   string
	scheme schemeID
	has    parts

	// Offsets into text: scheme ":" "//" user ":" password "@" host ":" port "/" path "?" search "#" fragment.
	// Only colon and end hold for every URL.
	colon   uint32 // the ":" after the scheme
	userEnd uint32
	host    uint32 // where it begins
	hostEnd uint32
	portEnd uint32
	pathEnd uint32
	end     uint32 // of the URL proper
}

// parts says which parts of a URL are there.
type parts uint8

const (
	hasUser parts = 1 << iota
	hasPassword
	hasHost // there is an authority after "//", be the host in it empty
	hasPort
	hasPath
	hasSearch
	isLater // the parts are those of a later RFC, though the text alone does not show it: mailto and nntp in Current
)

// IsZero reports whether u is no URL at all.
func (u URL) IsZero() bool { return u.scheme == noScheme }

// Scheme is the scheme in lower case (RFC 1738 2.1), "" for the zero URL.
func (u URL) Scheme() string {
	if u.scheme == otherScheme {
		return octet.Lower(u.text[:u.colon])
	}
	return u.row().Name
}

// SchemePart is the scheme-specific part (RFC 1738 2.1): all after the colon as written, password included, fragment not.
func (u URL) SchemePart() string {
	if u.IsZero() {
		return ""
	}
	return u.text[u.colon+1 : u.end]
}

// User is the user name as written (RFC 1738 3.1). An empty one is not an absent one.
func (u URL) User() (user string, ok bool) {
	if u.has&hasUser == 0 {
		return "", false
	}
	return u.text[u.colon+3 : u.userEnd], true
}

// Password is the password as written (RFC 1738 3.1). An empty one is not an absent one.
func (u URL) Password() (password string, ok bool) {
	if u.has&hasPassword == 0 {
		return "", false
	}
	return u.text[u.userEnd+1 : u.host-1], true
}

// HasHost reports whether u has the common Internet scheme syntax (RFC 1738 3.1) and so a host, if only an empty one as
// in "file:///x". Mailto URLs never do, news URLs only in Current (RFC 5538), and those of other schemes where "//" and a
// login follow the colon.
func (u URL) HasHost() bool { return u.has&hasHost != 0 }

// Host is the host as written: a name, four digit groups, in Current also an IP literal with its brackets or any other
// name that RFC 3986 3.2.2 allows, escapes and characters beyond ASCII included. It is "" where there is none. To look it
// up, take [URL.ASCIIHost].
func (u URL) Host() string { return u.text[u.host:u.hostEnd] }

// ASCIIHost is the host in the form that is looked up: without escapes, and in ASCII (RFC 3986 3.2.2, RFC 3987 3.1, RFC
// 5891). A host in plain ASCII stays as it is written, brackets and case included. What is no name in the domain name
// system keeps the escapes of the octets that cannot stand in one; it is found nowhere.
func (u URL) ASCIIHost() string { return hostname.ASCII(u.Host()) }

// Port is the port in digits as written, "" where it is absent or, in Current, empty (RFC 3986 3.2.3). It may have leading
// zeros and exceed 65535.
func (u URL) Port() string {
	if u.has&hasPort == 0 {
		return ""
	}
	return u.text[u.hostEnd+1 : u.portEnd]
}

// PortNumber is the port as a number: the written one, else the default of the scheme ([DefaultPort]). ok is false
// where there is none, and where it is 0 or over 65535 and so is no port (RFC 1738 3.1 sets no limit).
func (u URL) PortNumber() (port uint16, ok bool) {
	digits := u.Port()
	if digits == "" {
		port = u.row().Port
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

// Addr returns the host and port to connect to, as net.Dial wants them: [URL.ASCIIHost] and [URL.PortNumber]. ok is false if the
// URL has no host, or no port that exists.
func (u URL) Addr() (addr string, ok bool) {
	host := u.ASCIIHost()
	port, ok := u.PortNumber()
	if host == "" || !ok {
		return "", false
	}
	return host + ":" + strconv.Itoa(int(port)), true
}

// Path is the url-path as written, without the "/" before it, which is no part of it (RFC 1738 3.1). An empty one is
// not an absent one. In http and https it ends before "?"; [URL.Search] has the rest. Mailto has none, news has one behind a
// server. A file or nfs URL of Current that has no host has a path all the same.
func (u URL) Path() (path string, ok bool) {
	if u.has&hasPath == 0 {
		return "", false
	}
	return u.text[u.portEnd+1 : u.pathEnd], true
}

// Search is what follows the "?" of an http or https URL (RFC 1738 3.3), in Current also of a mailto URL, where it is the
// header fields (RFC 6068 2), and of a URL of a scheme that is not predefined where no path stands before it; as written.
func (u URL) Search() (search string, ok bool) {
	if u.has&hasSearch == 0 {
		return "", false
	}
	return u.text[u.pathEnd+1 : u.end], true
}

// Fragment is what follows the "#" of a reference that [Current] read, as written. It is kept beside the URL and is no
// part of it (RFC 1738 appendix, RFC 3986 3.5).
func (u URL) Fragment() (fragment string, ok bool) {
	if int(u.end) == len(u.text) {
		return "", false
	}
	return u.text[u.end+1:], true
}

// WithoutFragment is the URL without its fragment.
func (u URL) WithoutFragment() URL {
	u.text = u.text[:u.end]
	return u
}

// Text is the whole text as read, with password and fragment. To show it to anyone, use [URL.Redacted].
func (u URL) Text() string { return u.text }

// Hierarchical reports whether "/" in the path stands for a hierarchy, so that relative links can be resolved: ftp,
// http, https and file (RFC 1738 2.3), in Current also nfs (RFC 2224) and ftps.
func (u URL) Hierarchical() bool { return u.row().Hierarchical }
