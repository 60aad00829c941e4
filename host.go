package locator

// This file parses the common Internet scheme syntax (RFC 1738 3.1): user, password, host and port,
// in RFC1738 and in Current.

import (
	"locator/internal/hostname"
)

// hostProductions are the rules of the common Internet scheme syntax (RFC 1738 3.1, 5).
const hostProductions = `
ip-schemepart  = "//" login [ "/" urlpath ]
login          = [ user [ ":" password ] "@" ] hostport
hostport       = host [ ":" port ]
host           = hostname | hostnumber
hostname       = *[ domainlabel "." ] toplabel
domainlabel    = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
toplabel       = alpha | alpha *[ alphadigit | "-" ] alphadigit
alphadigit     = alpha | digit
hostnumber     = digits "." digits "." digits "." digits
port           = digits
user           = *[ uchar | ";" | "?" | "&" | "=" ]
password       = *[ uchar | ";" | "?" | "&" | "=" ]
urlpath        = *xchar    ; depends on protocol see section 3.1
`

// login parses user, password, host and port, up to the end or a "/".
//
// Before an "@" or "/" is found, the text can be a host or a user, so an error is detected late:
// "a_b" is not a host, but "a_b@host" is a login.
func (r *reader) login(i int) int {
	if r.current {
		return r.authority(i, mayLogin)
	}
	if end, ok := r.plainHostport(i); ok {
		return end
	}
	end := r.span(i, userClass)
	if end < 0 {
		return -1
	}
	r.u.userEnd = uint32(end)
	r.u.has |= hasUser
	if r.at(end, ':') {
		r.u.has |= hasPassword
		if end = r.span(end+1, userClass); end < 0 {
			return -1
		}
	}
	if !r.at(end, '@') {
		return r.noLogin(i, end)
	}
	host := end + 1
	if end = r.hostport(host); end < 0 {
		return r.without(host-1, host)
	}
	return end
}

// noLogin records why the text from i, which was parsed as user and password up to end, is not a
// login: no "@" follows, and it is not a host and port.
func (r *reader) noLogin(i, end int) int {
	bad, ok := r.scanHost(i)
	cut := r.hostportPrefix(i)
	switch {
	case end < len(r.s) && r.s[end] != '/':
		if r.u.has&hasPassword != 0 {
			return r.failFrom(cut, end, "password", "", "")
		}
		return r.failFrom(cut, end, "user", "", "")
	case ok && r.at(bad, ':'):
		return r.failFrom(cut, end, "port", needPort, hintPort)
	case bad < end:
		r.failFrom(cut, end, "login", `"@" and a host`, hintHost)
		r.fault.odd = bad
		return -1
	}
	return r.failFrom(cut, end, "host", needHost, hintHost)
}

// plainHostport parses a valid host and port. ok is false if there is an error.
func (r *reader) plainHostport(i int) (end int, ok bool) {
	if end, ok = r.plainHost(i); !ok {
		return end, false
	}
	hostEnd := end
	if r.at(end, ':') {
		begin := end + 1
		for end = begin; end < len(r.s) && r.t[r.s[end]]&digitClass != 0; end++ {
		}
		ok = end > begin
	}
	if !ok || end < len(r.s) && r.s[end] != '/' {
		return end, false
	}
	r.setHost(i, hostEnd, end)
	return end, true
}

// server parses "//", host and port.
func (r *reader) server(i int, rule string) int {
	if i = r.slashes(i, rule); i < 0 {
		return -1
	}
	return r.hostport(i)
}

// hostport parses host and port, up to the end or a "/".
func (r *reader) hostport(i int) int {
	if r.current {
		return r.authority(i, 0)
	}
	end, ok := r.plainHostport(i)
	if ok {
		return end
	}
	if end, ok = r.scanHost(i); !ok {
		return r.failFrom(r.hostPrefix(i), end, "host", needHost, hintHost)
	}
	hostEnd := end
	if r.at(end, ':') {
		if end = r.digits(end+1, "port", needPort, hintPort); end < 0 {
			return r.without(hostEnd, hostEnd+1)
		}
	}
	switch {
	case end == len(r.s) || r.s[end] == '/':
		r.setHost(i, hostEnd, end)
		return end
	case r.s[end] == '?':
		return r.fail(end, "hostport", `a "/" first`, `put "/" before the "?"`)
	case end > hostEnd:
		return r.fail(end, "port", needPort, hintPort)
	}
	return r.fail(end, "host", needHost, hintHost)
}

// setHost records where host and port are.
func (r *reader) setHost(begin, hostEnd, portEnd int) {
	r.u.host, r.u.hostEnd, r.u.portEnd = uint32(begin), uint32(hostEnd), uint32(portEnd)
	r.u.has |= hasHost
	if portEnd > hostEnd {
		r.u.has |= hasPort
	}
}

// scanHost returns the end of a host. If ok is false, end is the first byte that cannot continue a
// host.
func (r *reader) scanHost(i int) (end int, ok bool) {
	if end, ok = r.plainHost(i); ok {
		return end, true
	}
	return r.hostFault(i), false
}

// plainHost is scanHost for a valid host. Its loop branches only at the end of the host.
func (r *reader) plainHost(i int) (end int, ok bool) {
	const must = alphadigitClass | labelClass
	need, missed := alphaClass|alphadigitClass, class(0)
	t, end := r.t, len(r.s)
	for n, b := range []byte(r.s[i:]) {
		c := t[b]
		if c&nameClass == 0 {
			end = i + n
			break
		}
		missed |= need &^ c
		need = c / (beforeAlpha / alphaClass) & (alphaClass | must)
	}
	if (missed|need)&must != 0 {
		return end, false
	}
	return end, missed == 0 || r.isHost(i, end)
}

// isHost reports whether the labels from i to end, each valid by itself, are a host: the last
// begins with a letter, or they are four numbers.
func (r *reader) isHost(i, end int) bool {
	dots, all := class(0), digitClass
	for _, c := range []byte(r.s[i:end]) {
		dot := r.t[c] / beforeAlpha & 1
		dots += dot
		all &= r.t[c] | dot*digitClass
	}
	if all != 0 {
		return dots == 3
	}
	for end > i && r.s[end-1] != '.' {
		end--
	}
	return r.t[r.s[end]]&alphaClass != 0
}

// hostFault returns the first byte that cannot continue a host.
func (r *reader) hostFault(i int) int {
	s, t := r.s, r.t
	for {
		begin := i
		for i < len(s) && t[s[i]]&labelClass != 0 {
			i++
		}
		switch { // a label begins and ends with a letter or digit
		case i > begin && s[begin] == '-':
			return begin
		case i == begin, s[i-1] == '-', !r.at(i, '.'):
			return i
		}
		i++
	}
}

// hostportPrefix returns the end of the longest host and port at i, or i.
func (r *reader) hostportPrefix(i int) int {
	end, ok := r.scanHost(i)
	if !ok {
		return r.hostPrefix(i)
	}
	if r.at(end, ':') {
		if port := r.anyDigits(end + 1); port > end+1 {
			return port
		}
	}
	return end
}

// hostPrefix returns the end of the longest host at i, or i.
func (r *reader) hostPrefix(i int) int {
	good, dots, numbers := i, 0, true
	for begin := i; i < len(r.s) && r.t[r.s[i]]&nameClass != 0; i++ {
		switch c := r.t[r.s[i]]; {
		case r.s[i] == '.':
			if i == begin || r.s[i-1] == '-' {
				return good
			}
			begin = i + 1
			dots++
		case r.s[i] == '-':
			if i == begin {
				return good
			}
			numbers = false
		default: // a letter or digit
			numbers = numbers && c&digitClass != 0
			if r.t[r.s[begin]]&alphaClass != 0 || numbers && dots == 3 {
				good = i + 1
			}
		}
	}
	return good
}

// CurrentProductions are the rules of [Current] that schemes share, in the notation of RFC 5234:
// those of RFC 3986 with the characters of RFC 3987 and the uchar and xchar of RFC 1738. The rules
// of one scheme are in its [Syntax].
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
	mayLogin    authorityForm = 1 << iota // userinfo may precede the host
	mayBeEmpty                            // the host may be empty (RFC 3986 3.2.2)
	beforeQuery                           // a "?" may follow
)

// authority parses userinfo, host and port (RFC 3986 3.2), up to the end, a "/" or, if the form
// allows it, a "?". The password begins after the first ":" of the userinfo (RFC 3986 3.2.1).
//
// Before an "@" is found, the text can be userinfo or a host with its port, so an error is detected
// late: "a:b" is not a hostport, but "a:b@host" is an authority.
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

// plainAuthority is authority for the common case: no userinfo, no IP literal, no error. ok is
// false in any other case.
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
