package http

import (
	"strings"

	"locator"
)

// resolve resolves a reference from a server relative to base (RFC 3986 5.2).
func resolve(base locator.URL, ref string) (locator.URL, error) {
	return base.Resolve(escapeInvalid(ref))
}

const upperHex = "0123456789ABCDEF"

// escapeInvalid percent-encodes the bytes that are invalid in a URL.
//
// QUIRK: Location fields and links contain blanks, UTF-8, brackets and bare "%". Every browser escapes them (URL Standard,
// "percent-encode after encoding").
func escapeInvalid(ref string) string {
	ref = strings.Trim(ref, " \t\r\n\f")
	from, to := authority(ref)
	var b strings.Builder
	for i := 0; i < len(ref); i++ {
		c := ref[i]
		bad := c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0
		switch c {
		case '%':
			bad = i+2 >= len(ref) || !isHex(ref[i+1]) || !isHex(ref[i+2])
		case '[', ']':
			bad = i < from || i >= to
		}
		if bad {
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// authority returns the position of the authority in a reference, in which brackets enclose an address (RFC 3986 appendix
// B). It follows a "//" at the start or after the scheme.
func authority(ref string) (from, to int) {
	from = strings.Index(ref, "//")
	if from < 0 || from > 0 && strings.IndexAny(ref, ":/?#") != from-1 {
		return 0, 0
	}
	from += len("//")
	if n := strings.IndexAny(ref[from:], "/?#"); n >= 0 {
		return from, from + n
	}
	return from, len(ref)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
