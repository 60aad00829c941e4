package octet

import (
	"strings"
	"unicode/utf8"
)

// At returns the decoded byte of the escape at s[i:]; ok is false if there is no escape.
func At(s string, i int) (c byte, ok bool) {
	if i+2 >= len(s) || s[i] != '%' || !IsHex(s[i+1]) || !IsHex(s[i+2]) {
		return 0, false
	}
	return Hex(s[i+1])<<4 | Hex(s[i+2]), true
}

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// Hex returns the value of a hexadecimal digit.
func Hex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&0xF + 9
}

// Escape returns the escape of a byte, "%XX".
func Escape(c byte) string { return string(AppendEscape(nil, c)) }

// AppendEscape appends the escape of a byte, "%XX".
func AppendEscape(b []byte, c byte) []byte {
	return append(b, '%', hex[c>>4], hex[c&15])
}

const hex = "0123456789ABCDEF"

// EscapeInvalid escapes the bytes of s that no URL can have as they are: controls, blanks, those
// beyond ASCII, and "<>\^`{|}. It also escapes s[i] if also(i) is true; also may be nil.
func EscapeInvalid(s string, also func(i int) bool) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 || also != nil && also(i) {
			b = AppendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// Quote names a byte in a message: printable ones in quotes, others as 0xNN.
func Quote(c byte) string { return string(AppendQuote(nil, c)) }

// AppendQuote appends what Quote returns.
func AppendQuote(b []byte, c byte) []byte {
	switch {
	case c == ' ':
		return append(b, "a space"...)
	case c == '\t':
		return append(b, "a tab"...)
	case c == '\r', c == '\n':
		return append(b, "a line break"...)
	case c == '"':
		return append(b, "the quotation mark"...)
	case c > ' ' && c < 0x7F:
		return append(b, '"', c, '"')
	}
	return append(append(b, "byte 0x"...), hex[c>>4], hex[c&15])
}

// IsASCII reports whether s holds ASCII only.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// AppendASCII appends s and escapes all beyond ASCII.
func AppendASCII(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b = append(b, s[i])
		} else {
			b = AppendEscape(b, s[i])
		}
	}
	return b
}

// Lower folds the letters A to Z, and returns s itself if there are none.
func Lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return string(AppendLower(nil, s))
		}
	}
	return s
}

// AppendLower appends s with the letters A to Z folded.
func AppendLower(b []byte, s string) []byte {
	b = append(b, s...)
	for i, c := range b[len(b)-len(s):] {
		if 'A' <= c && c <= 'Z' {
			b[len(b)-len(s)+i] += 'a' - 'A'
		}
	}
	return b
}

// Rune reads a character beyond ASCII from the escapes that s begins with; octets is their number of bytes, 0 if there is none.
func Rune(s string) (r rune, octets int) {
	var buf [utf8.UTFMax]byte
	for n := range buf {
		if 3*n >= len(s) {
			break
		}
		c, ok := At(s, 3*n)
		if !ok || n == 0 && c < utf8.RuneSelf {
			break
		}
		buf[n] = c
		if r, size := utf8.DecodeRune(buf[:n+1]); size == n+1 && (r != utf8.RuneError || size > 1) {
			return r, size
		}
	}
	return 0, 0
}
