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
	if !octet.IsUCS(c, false) || hostname.Invisible(c) {
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
