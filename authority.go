package locator

import "locator/internal/hostname"

// CurrentProductions are the rules of [Current] that schemes share, in the notation of RFC 5234: those of RFC 3986 with the
// characters of RFC 3987 and the uchar and xchar of RFC 1738. The rules of one scheme are in its [Syntax].
const CurrentProductions = `
scheme         = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
authority      = [ userinfo "@" ] hostport
userinfo       = *( unreserved / pct-encoded / sub-delims / ":" )
hostport       = host [ ":" port ]
host           = IP-literal / 1*( unreserved / pct-encoded / sub-delims )
port           = *DIGIT
IP-literal     = "[" ( IPv6address / IPvFuture  ) "]"
IPvFuture      = "v" 1*HEXDIG "." 1*( ascii / sub-delims / ":" )
IPv6address    =                            6( h16 ":" ) ls32
               /                       "::" 5( h16 ":" ) ls32
               / [               h16 ] "::" 4( h16 ":" ) ls32
               / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
               / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
               / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
               / [ *4( h16 ":" ) h16 ] "::"              ls32
               / [ *5( h16 ":" ) h16 ] "::"              h16
               / [ *6( h16 ":" ) h16 ] "::"
h16            = 1*4HEXDIG
ls32           = ( h16 ":" h16 ) / IPv4address
IPv4address    = dec-octet "." dec-octet "." dec-octet "." dec-octet
dec-octet      = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
fragment       = *xchar
query          = *( xchar / iprivate )
pchar          = uchar / ";" / ":" / "@" / "&" / "="
xchar          = pchar / "/" / "?"
uchar          = unreserved / pct-encoded / "$" / "+" / "!" / "*" / "'" / "(" / ")" / ","
pct-encoded    = "%" HEXDIG HEXDIG
unreserved     = ascii / ucschar
ascii          = ALPHA / DIGIT / "-" / "." / "_" / "~"
sub-delims     = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
ucschar        = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
               / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
               / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
               / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
               / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
               / %xD0000-DFFFD / %xE1000-EFFFD
iprivate       = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
`

// authorityForm says what the authority of a scheme may contain.
type authorityForm uint8

const (
	mayLogin    authorityForm = 1 << iota // userinfo may stand before the host
	mayBeEmpty                            // the host may be empty (RFC 3986 3.2.2)
	beforeQuery                           // a "?" may follow
)

// authority parses userinfo, host and port (RFC 3986 3.2), up to the end, a "/" or, if the form allows it, a "?". The password
// begins after the first ":" of the userinfo (RFC 3986 3.2.1).
//
// Before an "@" is found, the text can be userinfo or a host with its port, so an error is detected late: "a:b" is no hostport, but
// "a:b@host" is an authority.
func (r *reader) authority(i int, form authorityForm) int {
	if end, ok := r.plainAuthority(i, form); ok {
		return end
	}
	stop := -1 // up to where the text may still be userinfo
	if form&mayLogin != 0 && !r.at(i, '[') {
		if stop = r.span(i, userClass); stop < 0 {
			return -1
		}
		if r.at(stop, '@') {
			r.userinfo(i, stop)
			i, stop = stop+1, -1
		}
	}
	hostEnd := i
	if r.at(i, '[') {
		hostEnd = r.literal(i)
	} else {
		hostEnd = r.span(i, hostClass)
	}
	if hostEnd < 0 {
		return -1
	}
	end := hostEnd
	if r.at(end, ':') {
		end = r.anyDigits(end + 1)
	}
	if (hostEnd > i || form&mayBeEmpty != 0) && (end == len(r.s) || r.s[end] == '/' || r.s[end] == '?' && form&beforeQuery != 0) {
		r.setHost(i, hostEnd, end)
		return end
	}
	cut := end
	if hostEnd == i && form&mayBeEmpty == 0 {
		cut = i
		if r.u.has&hasUser != 0 {
			cut = i - 1 // what is before the "@" may be a host
		}
		if stop <= i {
			end = i
		}
	}
	r.badAuthority(max(end, stop), i, hostEnd, form)
	r.fault.cut = cut
	return -1
}

// plainAuthority is authority for the common case: no userinfo, no IP literal, no error. ok is false in any other case.
func (r *reader) plainAuthority(i int, form authorityForm) (end int, ok bool) {
	hostEnd := r.span(i, hostClass)
	if hostEnd <= i {
		return 0, false
	}
	if end = hostEnd; r.at(end, ':') {
		end = r.anyDigits(end + 1)
	}
	if end < len(r.s) && r.s[end] != '/' && (r.s[end] != '?' || form&beforeQuery == 0) {
		return 0, false
	}
	r.setHost(i, hostEnd, end)
	return end, true
}

const hintLaterHost = "put a host there: a name, or an address such as 192.0.2.1 or [2001:db8::1]"

// userinfo records the user and password from i to the "@" at end.
func (r *reader) userinfo(i, end int) {
	r.u.has |= hasUser
	r.u.userEnd = uint32(end)
	for j := i; j < end; j++ {
		if r.s[j] == ':' {
			r.u.has |= hasPassword
			r.u.userEnd = uint32(j)
			break
		}
	}
}

// badAuthority records the error at off, after a host from i to hostEnd.
func (r *reader) badAuthority(off, i, hostEnd int, form authorityForm) int {
	login := form&mayLogin != 0 && r.u.has&hasUser == 0 && !r.at(i, '[')
	switch {
	case hostEnd == i && off == i:
		return r.fail(off, "host", "a host", hintLaterHost)
	case off < len(r.s) && r.s[off] == '?':
		return r.fail(off, "hostport", `a "/" first`, `put "/" before the "?"; a "?" in a user or password is written %3F`)
	case r.at(off, '@') && r.u.has&hasUser != 0:
		return r.fail(off, "host", "", `%40 for an "@" in a user or password`)
	case login && off > hostEnd:
		return r.fail(off, "authority", `"@" and a host (the text after the colon is not a port)`, hintPort)
	case r.at(hostEnd, ':'):
		return r.fail(off, "port", needPort, hintPort)
	case r.at(i, '['):
		return r.fail(off, "host", `":" and a port, "/" or the end`, "")
	}
	return r.fail(off, "host", "", `a host is a name or an address; a "/" ends it`)
}

// literal parses an IP literal (RFC 3986 3.2.2) from its "[" on.
func (r *reader) literal(i int) int {
	bracket := i
	if !r.at(i+1, 'v') && !r.at(i+1, 'V') {
		return r.ipv6(i)
	}
	begin := i + 2
	for i = begin; i < len(r.s) && r.t[r.s[i]]&hexClass != 0; i++ {
	}
	if i == begin || !r.at(i, '.') {
		return r.failFrom(bracket, i, ruleIPvFuture, `hexadecimal digits and "."`, "")
	}
	i++
	for begin = i; i < len(r.s) && r.t[r.s[i]]&userClass != 0; i++ {
	}
	if i == begin || !r.at(i, ']') {
		return r.failFrom(bracket, i, ruleIPvFuture, `an address and "]"`, "")
	}
	return i + 1
}

// ipv6 parses an IPv6 literal (RFC 3986 3.2.2) from its "[" on.
func (r *reader) ipv6(i int) int {
	end, ok := hostname.ScanIPv6(r.s, i+1)
	if !ok {
		return r.failFrom(i, end, ruleIPv6, "a part of an IPv6 address", `write an address such as "[2001:db8::1]"`)
	}
	return end
}
