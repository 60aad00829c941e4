// Package passwords finds what may be a password in a text. Where a URL is within another one, its
// delimiters may be escaped: ":" as "%3A", or as "%253A" if it is within two.
package passwords

import (
	"strings"

	"locator/internal/octet"
)

// MayBeIn reports whether s has an "@", perhaps escaped.
func MayBeIn(s string) bool {
	return strings.IndexByte(s, '@') >= 0 || strings.IndexByte(s, '%') >= 0 && strings.Contains(s, "40")
}

// delimiter returns the character at s[i] with its escapes undone, and the number of bytes that it
// takes there.
func delimiter(s string, i int) (c byte, n int) {
	c, n = s[i], 1
	for c == '%' && i+n+1 < len(s) && octet.IsHex(s[i+n]) && octet.IsHex(s[i+n+1]) {
		c = octet.Hex(s[i+n])<<4 | octet.Hex(s[i+n+1])
		n += 2
	}
	return c, n
}

// isBracket reports whether an IP literal begins at i.
func isBracket(s string, i int) bool {
	if i == len(s) {
		return false
	}
	c, _ := delimiter(s, i)
	return c == '['
}

// isSlash reports whether c begins an authority. Browsers take a backslash for a slash.
func isSlash(c byte) bool { return c == '/' || c == '\\' }

// NextSlashes returns where the first "//" or "\\" from i on begins, -1 if there is none. It reads
// no further than that: a text may have many.
func NextSlashes(s string, i int) int {
	last, before := -1, byte(0)
	for i < len(s) {
		c, n := delimiter(s, i)
		switch {
		case !isSlash(c):
			last = -1
		case last >= 0 && c == before:
			return last
		default:
			last, before = i, c
		}
		i += n
	}
	return -1
}

// finalAt returns where the last "@" of s begins, -1 if there is none.
func finalAt(s string) int {
	last := strings.LastIndexByte(s, '@')
	if strings.IndexByte(s, '%') < 0 {
		return last
	}
	for i := last + 1; i < len(s); {
		c, n := delimiter(s, i)
		if c == '@' {
			last = i
		}
		i += n
	}
	return last
}

// User finds the password of a login without a scheme, as in "user:password@host/": name is what
// precedes the colon, and i is behind it.
func User(s, name string, i int) (begin, end int, ok bool) {
	if strings.ContainsAny(name, "/\\ ") || NextSlashes(name, 0) >= 0 || strings.HasPrefix(s[i:], "//") || strings.HasPrefix(s[i:], " ") {
		return 0, 0, false
	}
	authority, _, _ := strings.Cut(s[i:], "/")
	at := finalAt(authority)
	if inner := NextSlashes(authority, 0); at <= 0 || inner >= 0 && inner < at { // the login of a URL within it
		return 0, 0, false
	}
	return i, i + at, true
}

// Addresses yields the passwords in the addresses of a mailto URL, which begin at i: the text
// between the first colon and the last "@" of an address. Only a quoted address has a colon before
// its "@"; one behind the name of a group is followed by a blank. end is where the addresses end,
// or i if a URL may be there. ok is false if yield wants no more.
func Addresses(s string, i int, yield func(begin, end int) bool) (end int, ok bool) {
	end = len(s)
	if search := strings.IndexByte(s[i:], '?'); search >= 0 && strings.IndexByte(s[i+search:], '=') >= 0 {
		end = i + search
	}
	if slashes := NextSlashes(s, i); slashes >= 0 && slashes < end {
		return i, true
	}
	colon, at, first := -1, -1, byte(0) // first is that of the address
	for next := i; next <= end; {
		c, n := byte(','), 1
		if next < end {
			c, n = delimiter(s, next)
		}
		switch {
		case c == ',' && (colon < 0 || at >= 0 || next == end):
			if at > colon && colon >= 0 && first != '"' && s[colon] != ' ' && !strings.HasPrefix(s[colon:], "%20") && !yield(colon, at) {
				return end, false
			}
			colon, at, first = -1, -1, 0
		case c == ':' && colon < 0 && at < 0:
			colon = next + n
		case c == '@':
			at = next
		}
		if first == 0 && c != ',' {
			first = c
		}
		next += n
	}
	return end, true
}

// Nested yields the passwords of all logins that follow slashes. The first one is at i, where the
// slashes may be missing; i may be -1.
func Nested(s string, i int, yield func(begin, end int) bool) {
	for last, outer := finalAt(s), NextSlashes(s, 0); i >= 0 && i < last; {
		begin, end, next, more := loginSpan(s, i, last, outer >= 0 && i > outer)
		if end > 0 && !yield(begin, end) {
			return
		}
		if i = next; !more {
			i = NextSlashes(s, next)
		}
	}
}

// loginSpan finds the password of a login at i, where any number of slashes or backslashes is
// allowed. User and password extend to the last "@" before the next "/", or beyond it if what
// follows the colon is not a port. last is the last "@" of the text. In a query, where inner is
// true, a "&" that follows an "@" ends them, too. end is 0 if there is no password. next is where
// to continue: with more at once, else at the next "//".
func loginSpan(s string, i, last int, inner bool) (begin, end, next int, more bool) {
	level := 1 // bytes of the escaped slash: the slash that ends the authority is escaped no more often
	for i < len(s) {
		c, n := delimiter(s, i)
		if !isSlash(c) {
			break
		}
		i, level = i+n, max(level, n)
	}
	colon, at := -1, -1
	slash := false
	for next = i; next < len(s); {
		c, n := delimiter(s, next)
		if slash = c == '/' && n <= level; slash || inner && at >= 0 && s[next] == '&' {
			break
		}
		switch {
		case c == '@':
			at = next
		case c == ':' && colon < 0:
			colon, begin = next, next+n
			if port := portEnd(s, s[i:next], begin); port > 0 { // the rest may be another login
				return 0, 0, port, true
			}
		}
		next += n
	}
	if isBracket(s, i) && (at < 0 || strings.IndexByte(s[i:at], ']') >= 0) || colon < 0 || at >= 0 && colon > at {
		return 0, 0, next, false // an IPv6 literal, which has no "@", a port, or neither
	}
	if port := s[begin:next]; at < 0 && slash && (port == "" || strings.Trim(port, "0123456789") != "") {
		at = last
	}
	if at <= begin {
		return 0, 0, next, false
	}
	return begin, at, max(next, at), false
}

// portEnd returns where a port at i ends that is not a password, 0 if there is none: a number of a
// port before a byte that cannot be in a password as it is, either behind an address, or before
// "@". So an error can show why "http://127.0.0.1:80\@evil/" is not a URL.
func portEnd(s, host string, i int) int {
	const maxDigits = 5
	end := i
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	odd := end
	for odd < len(s) && s[odd] < 0x80 && !octet.IsAlphanumeric(s[odd]) && strings.IndexByte("/@%:"+"$-_.+!*'(),~;&=", s[odd]) < 0 {
		odd++
	}
	if end == i || end > i+maxDigits || odd == end {
		return 0
	}
	if isAddress := strings.Trim(host, "0123456789.") == "" || strings.EqualFold(host, "localhost"); isAddress || odd < len(s) && s[odd] == '@' {
		return end
	}
	return 0
}
