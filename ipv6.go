package locator

// ipv6 reads an IPv6 literal in its brackets (RFC 3986 3.2.2 IP-literal, without IPvFuture) from the "[" on.
func (r *reader) ipv6(i int) int {
	end, ok := scanIPv6(r.s, r.t, i+1)
	if !ok {
		return r.fail(end, ruleIPv6, "a part of an IPv6 address", `write an address such as "[2001:db8::1]"`)
	}
	return end
}

// scanIPv6 reads IPv6address and the closing bracket. Where ok is false, end is the first octet that cannot continue
// one: eight groups of one to four hexadecimal digits, of which the last two may be an IPv4 address; "::" once, for one
// group or more.
func scanIPv6(s string, t *table, i int) (end int, ok bool) {
	at := func(i int, c byte) bool { return i < len(s) && s[i] == c }
	groups, room, gap := 0, 8, false // room: how many groups there may be
	if at(i, ':') {
		if i++; !at(i, ':') {
			return i, false
		}
		gap, room = true, 7
		if i++; at(i, ']') {
			return i + 1, true
		}
	}
	for groups < room {
		begin := i
		for i < len(s) && i < begin+4 && t[s[i]]&hexClass != 0 {
			i++
		}
		if i == begin {
			return i, false
		}
		if at(i, '.') && isDecOctet(s[begin:i]) && groups+2 <= room && (gap || groups == 6) {
			return scanIPv4(s, t, i)
		}
		groups++
		if at(i, ']') && (gap || groups == 8) {
			return i + 1, true
		}
		if !at(i, ':') || groups == room {
			return i, false
		}
		if i++; at(i, ':') && !gap {
			gap, room = true, 7
			if i++; at(i, ']') {
				return i + 1, true
			}
		}
	}
	return i, false
}

// scanIPv4 reads the last three octets of an IPv4 address, from the first dot on, and the closing bracket.
func scanIPv4(s string, t *table, i int) (end int, ok bool) {
	for range 3 {
		if i >= len(s) || s[i] != '.' {
			return i, false
		}
		i++
		begin := i
		for i < len(s) && t[s[i]]&digitClass != 0 && isDecOctet(s[begin:i+1]) {
			i++
		}
		if i == begin {
			return i, false
		}
	}
	if i >= len(s) || s[i] != ']' {
		return i, false
	}
	return i + 1, true
}

// isDecOctet reports whether s is dec-octet: 0 to 255 without leading zeros.
func isDecOctet(s string) bool {
	if len(s) == 0 || len(s) > 3 || len(s) > 1 && s[0] == '0' {
		return false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n <= 255
}
