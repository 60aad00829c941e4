package octet

import "strings"

// IsDigit reports whether c is a digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsAlphanumeric reports whether c is a letter of ASCII or a digit.
func IsAlphanumeric(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsScheme reports whether s may be the name of a scheme (RFC 3986 3.1).
func IsScheme(s string) bool {
	for i := range len(s) {
		if !IsLetter(s[i]) && (i == 0 || !IsDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}
