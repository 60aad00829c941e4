package octet

import "unicode/utf8"

// IsUCS reports whether a character beyond ASCII is ucschar (RFC 3987 2.2) or, if private is set,
// iprivate.
func IsUCS(c rune, private bool) bool {
	switch {
	case c < 0x10000:
		return 0xA0 <= c && c <= 0xD7FF || 0xF900 <= c && c <= 0xFDCF || 0xFDF0 <= c && c <= 0xFFEF ||
			private && 0xE000 <= c && c <= 0xF8FF
	case c >= 0xF0000:
		return private && c&0xFFFF <= 0xFFFD
	}
	return c&0xFFFF <= 0xFFFD && (c < 0xE0000 || c >= 0xE1000)
}

// ScanUCS returns the length of such a character at the start of s. If there is none, n is 0, and
// viable is how many bytes can be the start of one.
func ScanUCS(s string, private bool) (n, viable int) {
	if c, size := utf8.DecodeRuneInString(s); size > 1 && IsUCS(c, private) {
		return size, size
	}
	for viable < min(len(s), utf8.UTFMax) && beginsUCS(s[:viable+1], private) {
		viable++
	}
	return 0, viable
}

// beginsUCS reports whether the UTF-8 of such a character can begin with s: whether one lies
// between the least and the greatest character that s allows.
func beginsUCS(s string, private bool) bool {
	size, low := 0, rune(0)
	switch c := s[0]; {
	case 0xC2 <= c && c < 0xE0:
		size, low = 2, rune(c&0x1F)
	case 0xE0 <= c && c < 0xF0:
		size, low = 3, rune(c&0x0F)
	case 0xF0 <= c && c < 0xF5:
		size, low = 4, rune(c&0x07)
	}
	if len(s) > size {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			return false
		}
		low = low<<6 | rune(s[i]&0x3F)
	}
	rest := 6 * (size - len(s))
	low <<= rest
	high := low | (1<<rest - 1)
	low = max(low, [...]rune{2: 0x80, 3: 0x800, 4: 0x10000}[size])
	high = min(high, utf8.MaxRune)
	// The classes are few ranges: one of their ends lies between, or both low and high lie in the
	// same range.
	for _, end := range [...]rune{low, 0xA0, 0xE000, 0xF900, 0xFDF0, 0x10000, 0xE1000, 0xF0000, 0x100000} {
		if low <= end && end <= high && IsUCS(end, private) {
			return true
		}
	}
	// The planes 2 to 13 begin with a good character each.
	plane := (low + 0xFFFF) &^ 0xFFFF
	return plane <= high && IsUCS(plane, private)
}
