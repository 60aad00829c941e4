package locator

import "strconv"

// ipv6 parses an IPv6 literal (RFC 3986 3.2.2) from its "[" on.
func (r *reader) ipv6(i int) int {
	end, ok := scanIPv6(r.s, r.t, i+1)
	if !ok {
		return r.failFrom(i, end, ruleIPv6, "a part of an IPv6 address", `write an address such as "[2001:db8::1]"`)
	}
	return end
}

// scanIPv6 parses IPv6address and the closing bracket: eight groups of one to four hexadecimal digits, of which the last two may be
// an IPv4 address, with one "::" for one group or more. If ok is false, end is the first byte that cannot continue an address.
func scanIPv6(s string, t *table, i int) (end int, ok bool) {
	at := func(i int, c byte) bool { return i < len(s) && s[i] == c }
	groups, room, gap := 0, 8, false // room: the most groups that may follow
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

// scanIPv4 parses the last three groups of an IPv4 address, from the first dot on, and the closing bracket.
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
	_, err := strconv.ParseUint(s, 10, 8)
	return err == nil && (s[0] != '0' || s == "0")
}
