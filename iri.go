package locator

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ASCII is the URL in ASCII (RFC 3987 3.1): a host beyond ASCII as the domain name system has it ([URL.ASCIIHost]), every
// other character beyond ASCII as the escapes of its octets in UTF-8. Nothing else changes; a URL in ASCII is given back as
// it is.
func (u URL) ASCII() URL {
	if isASCII(u.text) {
		return u
	}
	begin, end := int(u.host), int(u.hostEnd)
	b := appendASCII(nil, u.text[:begin])
	if isASCII(u.text[begin:end]) {
		b = append(b, u.text[begin:end]...)
	} else {
		b = append(b, u.ASCIIHost()...)
	}
	return u.reread(string(appendASCII(b, u.text[end:])))
}

// appendASCII appends s with what is beyond ASCII as escapes.
func appendASCII(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b = append(b, s[i])
		} else {
			b = appendEscape(b, s[i])
		}
	}
	return b
}

// Readable is the URL for a person to read (RFC 3987 3.2), redacted: characters beyond ASCII stand for their escapes, and
// for the ASCII form of a host. What cannot be seen, or is easily taken for something else, stays as it was: controls and
// blanks, marks without a letter, characters that turn the direction of the text, and labels of hosts that are of several
// scripts or no good IDNA names. Read by Current, it is the same locator again, but for the password.
func (u URL) Readable() string {
	text := u.Redacted()
	begin, end := 0, 0 // of the host
	if u.HasHost() {
		begin = len(text) - len(u.text) + int(u.host)
		end = begin + int(u.hostEnd-u.host)
	}
	b := appendReadable(nil, text[:begin])
	if u.HasHost() {
		b = append(b, readableHost(u.Host())...)
	}
	return string(appendReadable(b, text[end:]))
}

// appendReadable appends s with the escapes undone of characters that a person can see.
func appendReadable(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c, octets := escapedRune(s[i:])
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

// escapedRune reads a character beyond ASCII from the escapes that s begins with; octets is 0 where there is none.
func escapedRune(s string) (c rune, octets int) {
	var buf [utf8.UTFMax]byte
	for n := range buf {
		if 3*n >= len(s) {
			break
		}
		octet, ok := octetAt(s, 3*n)
		if !ok || n == 0 && octet < utf8.RuneSelf {
			break
		}
		buf[n] = octet
		if c, size := utf8.DecodeRune(buf[:n+1]); size == n+1 && (c != utf8.RuneError || size > 1) {
			return c, size
		}
	}
	return 0, 0
}

// isReadable reports whether a character can be seen where it stands. A mark needs a letter before it.
func isReadable(c rune, letter bool) bool {
	if !isUCS(c, false) || isInvisible(c) {
		return false
	}
	return unicode.IsPrint(c) && (letter || !unicode.IsMark(c))
}

// isInvisible reports whether a character has no look of its own, or changes the look of others: what turns the direction
// of text (RFC 3987 4.1), joins and separates, fills, or is not assigned to be seen at all.
func isInvisible(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) && c != ' ' ||
		c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0x2800 // fillers and a blank pattern
}

// readableHost is a host with its labels as a person reads them.
func readableHost(host string) string {
	ascii := asciiHost(host)
	if !strings.Contains(lower(ascii), acePrefix) || len(ascii) > maxIDN {
		return ascii
	}
	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if text, ok := unicodeLabel(label); ok && hostScripts(text) == "" && !strings.ContainsFunc(text, isInvisible) {
			labels[i] = text
		}
	}
	readable := strings.Join(labels, ".")
	if again, err := toASCII(readable); err != nil || again != lower(ascii) {
		return ascii
	}
	return readable
}
