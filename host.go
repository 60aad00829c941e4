package locator

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
// Before an "@" or "/" is found, the text can be a host or a user, so an error is detected late: "a_b" is no host, but "a_b@host"
// is a login.
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

// noLogin records why the text from i, which was parsed as user and password up to end, is no login: no "@" follows, and it is not
// a host and port.
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

// scanHost returns the end of a host. If ok is false, end is the first byte that cannot continue a host.
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

// isHost reports whether the labels from i to end, each valid by itself, are a host: the last begins with a letter, or they are four
// numbers.
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
