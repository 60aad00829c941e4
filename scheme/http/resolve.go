package http

import (
	"strings"

	"locator"
)

// follow reads a reference as servers write it, relative to base (RFC 3986 5.2).
func follow(base locator.URL, ref string) (locator.URL, error) { return base.Resolve(mend(ref)) }

const upperHex = "0123456789ABCDEF"

// mend escapes what may not stand in a URL.
//
// QUIRK: servers write blanks, UTF-8, brackets and bare "%" into Location, and so do authors into links; every browser
// escapes them (URL Standard, "percent-encode after encoding").
func mend(ref string) string {
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

// authority is where the authority of a reference stands, in which brackets hold an address: behind the "//" that begins it
// or follows its scheme (RFC 3986 appendix B).
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
