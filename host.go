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

// login reads user, password, host and port, up to the end or a "/".
//
// Until an "@" or "/" has been seen, the same text may be a host or a user, so a fault shows late: "a_b" is no host,
// but "a_b@host" is a login.
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
	return r.hostport(end + 1)
}

// noLogin notes why the text from i, read as user and password up to end, is no login: neither does an "@" follow nor is
// it host and port.
func (r *reader) noLogin(i, end int) int {
	bad, ok := r.scanHost(i)
	switch {
	case end < len(r.s) && r.s[end] != '/':
		if r.u.has&hasPassword != 0 {
			return r.fail(end, "password", "", "")
		}
		return r.fail(end, "user", "", "")
	case ok && r.at(bad, ':'):
		return r.fail(end, "port", needPort, hintPort)
	case bad < end:
		return r.fail(end, "login", `"@" and a host (what stands before is no host, because of `+quoteOctet(r.s[bad])+")", hintHost)
	}
	return r.fail(end, "host", needHost, hintHost)
}

// plainHostport reads host and port where they end as they should; ok is false where they do not.
func (r *reader) plainHostport(i int) (end int, ok bool) {
	if end, ok = r.plainHost(i); !ok {
		if end, ok = r.scanHost(i); !ok {
			return end, false
		}
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

// hostport reads host and port, up to the end or a "/".
func (r *reader) hostport(i int) int {
	if r.current {
		return r.authority(i, 0)
	}
	end, ok := r.plainHostport(i)
	if ok {
		return end
	}
	if end, ok = r.scanHost(i); !ok {
		return r.fail(end, "host", needHost, hintHost)
	}
	hostEnd := end
	if r.at(end, ':') {
		if end = r.digits(end+1, "port", needPort, hintPort); end < 0 {
			return -1
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

// setHost notes where host and port are.
func (r *reader) setHost(begin, hostEnd, portEnd int) {
	r.u.host, r.u.hostEnd, r.u.portEnd = uint32(begin), uint32(hostEnd), uint32(portEnd)
	r.u.has |= hasHost
	if portEnd > hostEnd {
		r.u.has |= hasPort
	}
}

// plainHost is scanHost for the most common hosts: names in which a letter begins every label and no two "-" meet. Where ok
// is false, there may yet be a host. Nothing in its loop branches on what the octets are but the end of the name.
func (r *reader) plainHost(i int) (end int, ok bool) {
	s, t := r.s, r.t
	need, missed := alphaClass, class(0)
	for ; i < len(s); i++ {
		c := t[s[i]]
		if c&nameClass == 0 {
			break
		}
		missed |= need &^ c
		need = c / beforeAlpha & (alphaClass | alphadigitClass)
	}
	return i, missed|need == 0
}

// scanHost finds the end of a host. Where ok is false, end is the first octet that cannot continue one.
func (r *reader) scanHost(i int) (end int, ok bool) {
	s, t := r.s, r.t
	labels, numeric := 0, true
	for {
		begin, all := i, digitClass
		for i < len(s) {
			c := t[s[i]]
			if c&labelClass == 0 {
				break
			}
			all &= c
			i++
		}
		// A label begins and ends with a letter or digit.
		if i == begin {
			return i, false
		}
		if s[begin] == '-' {
			return begin, false
		}
		numeric = numeric && all != 0
		labels++
		if s[i-1] == '-' {
			return i, false
		}
		if i >= len(s) || s[i] != '.' {
			return i, t[s[begin]]&alphaClass != 0 || numeric && labels == 4
		}
		i++
	}
}
