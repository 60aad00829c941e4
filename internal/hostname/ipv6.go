package hostname

import (
	"strconv"

	"locator/internal/octet"
)

// ScanIPv6 parses IPv6address (RFC 3986 3.2.2) from s[i] on, and the closing bracket: eight groups
// of one to four hexadecimal digits, of which the last two may be an IPv4 address, with one "::"
// for one group or more. If ok is false, end is the first byte that cannot continue an address.
func ScanIPv6(s string, i int) (end int, ok bool) {
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
		for i < len(s) && i < begin+4 && octet.IsHex(s[i]) {
			i++
		}
		if i == begin {
			return i, false
		}
		if at(i, '.') && isDecOctet(s[begin:i]) && groups+2 <= room && (gap || groups == 6) {
			return scanIPv4(s, i)
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

// scanIPv4 parses the last three groups of an IPv4 address, from the first dot on, and the closing
// bracket.
func scanIPv4(s string, i int) (end int, ok bool) {
	for range 3 {
		if i >= len(s) || s[i] != '.' {
			return i, false
		}
		i++
		begin := i
		for i < len(s) && octet.IsDigit(s[i]) && isDecOctet(s[begin:i+1]) {
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
