package http

import (
	"strings"

	"locator"
	"locator/internal/octet"
)

// resolve resolves a reference from a server relative to base (RFC 3986 5.2).
func resolve(base locator.URL, ref string) (locator.URL, error) {
	return base.Resolve(escapeInvalid(ref))
}

// escapeInvalid percent-encodes the bytes that are invalid in a URL.
//
// QUIRK: Location fields and links contain blanks, UTF-8, brackets and bare "%". Every browser escapes them (URL Standard,
// "percent-encode after encoding").
func escapeInvalid(ref string) string {
	ref = strings.Trim(ref, " \t\r\n\f")
	from, to := authority(ref)
	return octet.EscapeInvalid(ref, func(i int) bool {
		switch ref[i] {
		case '%':
			_, ok := octet.At(ref, i)
			return !ok
		case '[', ']':
			return i < from || i >= to
		}
		return false
	})
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
