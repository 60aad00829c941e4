package locator

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"locator/internal/hostname"
	"locator/internal/octet"
)

// ASCII returns the URL in ASCII (RFC 3987 3.1), for programs that do not decode a host: the host without escapes as in
// [URL.ASCIIHost], and every other character beyond ASCII as the escapes of its bytes in UTF-8. Only the escapes of bytes that host
// names cannot contain stay. A URL in ASCII without escapes in its host is returned unchanged.
func (u URL) ASCII() URL {
	if strings.IndexByte(u.text, '%') < 0 && octet.IsASCII(u.text) {
		return u
	}
	later, ok := u.readLater()
	if !ok { // parsed by RFC 1738, so it is ASCII and no host in it has an escape
		return u
	}
	host := later.Host()
	escaped := strings.IndexByte(host, '%') >= 0 || !octet.IsASCII(host)
	if !escaped && octet.IsASCII(u.text) {
		return u
	}
	if escaped {
		host = strings.ReplaceAll(later.ASCIIHost(), "%7E", "~") // ASCIIHost escapes "~", which needs no escape
	}
	b := octet.AppendASCII(nil, u.text[:later.host])
	return reread(string(octet.AppendASCII(append(b, host...), u.text[later.hostEnd:])))
}

// Readable returns the URL for people to read (RFC 3987 3.2), redacted: it shows the characters beyond ASCII that escapes and the
// ASCII form of a host stand for. It keeps escapes of what cannot be seen or can be mistaken: controls and blanks, marks without a
// letter, characters that change the direction of the text, and labels of hosts that mix scripts or are no valid IDNA names. Parsed
// by Current, the result is the same locator, except for the password.
func (u URL) Readable() string {
	text := u.Redacted()
	begin, end := 0, 0 // of the host
	if u.HasHost() {
		begin = int(u.host)
		if pw, _ := u.Password(); pw != "" {
			begin += len(mask) - len(pw)
		}
		end = begin + int(u.hostEnd-u.host)
	}
	b := appendReadable(nil, text[:begin])
	if u.HasHost() {
		b = append(b, readableHost(u.Host())...)
	}
	return string(appendReadable(b, text[end:]))
}

// appendReadable appends s and decodes the escapes of characters that can be seen.
func appendReadable(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c, octets := octet.Rune(s[i:])
		if octets == 0 || !isReadable(c, len(b) > 0 && b[len(b)-1] >= utf8.RuneSelf) {
			b = append(b, s[i])
			i++
			continue
		}
		b = utf8.AppendRune(b, c)
		i += 3 * octets
	}
	return b
}

// isReadable reports whether a character can be seen where it stands. A mark needs a letter before it.
func isReadable(c rune, letter bool) bool {
	if !isUCS(c, false) || hostname.Invisible(c) {
		return false
	}
	return unicode.IsPrint(c) && (letter || !unicode.IsMark(c))
}

// readableHost returns a host with its labels as people read them.
func readableHost(host string) string {
	ascii := hostname.ASCII(host)
	if !strings.Contains(octet.Lower(ascii), hostname.Prefix) || len(ascii) > hostname.MaxLength {
		return ascii
	}
	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if text, ok := hostname.Unicode(label); ok && hostname.Scripts(text) == "" && !strings.ContainsFunc(text, hostname.Invisible) {
			labels[i] = text
		}
	}
	readable := strings.Join(labels, ".")
	if again, err := hostname.ToASCII(readable); err != nil || again != octet.Lower(ascii) {
		return ascii
	}
	return readable
}

// ucsProductions are the characters beyond ASCII of RFC 3987 2.2: ucschar wherever an escape may stand, iprivate after a "?".
const ucsProductions = `
ucschar        = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
               / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
               / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
               / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
               / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
               / %xD0000-DFFFD / %xE1000-EFFFD
iprivate       = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
`

const hintUCS = "write characters beyond ASCII in UTF-8, or escape their bytes"

// isUCS reports whether a character beyond ASCII is ucschar or, if private is set, iprivate.
func isUCS(c rune, private bool) bool {
	switch {
	case c < 0x10000:
		return 0xA0 <= c && c <= 0xD7FF || 0xF900 <= c && c <= 0xFDCF || 0xFDF0 <= c && c <= 0xFFEF ||
			private && 0xE000 <= c && c <= 0xF8FF
	case c >= 0xF0000:
		return private && c&0xFFFF <= 0xFFFD
	}
	return c&0xFFFF <= 0xFFFD && (c < 0xE0000 || c >= 0xE1000)
}

// runeAt returns the character at i; utf8.RuneError if there is no UTF-8.
func (r *reader) runeAt(i int) rune {
	c, _ := utf8.DecodeRuneInString(r.s[i:])
	return c
}

// scanUCS returns the length of such a character at the start of s. If there is none, n is 0, and viable is how many bytes can be the
// start of one.
func scanUCS(s string, private bool) (n, viable int) {
	if c, size := utf8.DecodeRuneInString(s); size > 1 && isUCS(c, private) {
		return size, size
	}
	for viable < min(len(s), utf8.UTFMax) && beginsUCS(s[:viable+1], private) {
		viable++
	}
	return 0, viable
}

// beginsUCS reports whether the UTF-8 of such a character can begin with s: whether one lies between the least and the greatest
// character that s allows.
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
	// The classes are few ranges: one of their ends lies between, or both low and high lie in the same range.
	for _, end := range [...]rune{low, 0xA0, 0xE000, 0xF900, 0xFDF0, 0x10000, 0xE1000, 0xF0000, 0x100000} {
		if low <= end && end <= high && isUCS(end, private) {
			return true
		}
	}
	// The planes 2 to 13 begin with a good character each.
	plane := (low + 0xFFFF) &^ 0xFFFF
	return plane <= high && isUCS(plane, private)
}
