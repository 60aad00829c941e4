package jsontext

import (
	"unicode"
	"unicode/utf8"

	"locator/internal/span"
)

// plain holds the characters that need no escape in a string.
var plain = span.NewSet(func(c byte) bool { return c >= ' ' && c < 0x7F && c != '"' && c != '\\' })

const hex = "0123456789abcdef"

// AppendString appends s as a JSON string. Characters that a terminal cannot print are escaped,
// too.
func AppendString(b []byte, s string) []byte {
	return append(Append(append(b, '"'), s), '"')
}

// Append appends the characters of a string without its quotes. A text may be appended in pieces,
// which must not end within a character (see [Whole]).
func Append(b []byte, s string) []byte {
	done := 0
	for i := 0; ; {
		if i += plain.Length(s[i:]); i == len(s) {
			break
		}
		c := s[i]
		if c == '%' { // not followed by two hex digits
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); size > 1 && unicode.IsPrint(r) {
				i += size
				continue
			}
		}
		b = append(b, s[done:i]...)
		if c >= utf8.RuneSelf && size == 1 {
			r = 0xDC00 | rune(c)
		}
		b = appendEscaped(b, r)
		i += size
		done = i
	}
	return append(b, s[done:]...)
}

// Whole returns how many bytes at the begin of p do not end within a character.
func Whole(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if at := len(p) - i; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				return at
			}
			break
		}
	}
	return len(p)
}

// appendEscaped appends the escape of one character. Beyond U+FFFF that is two surrogates (RFC 8259
// 7).
func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	if r > 0xFFFF {
		r -= 0x10000
		b = appendUnit(b, 0xD800|r>>10)
		r = 0xDC00 | r&0x3FF
	}
	return appendUnit(b, r)
}

// appendUnit appends \uXXXX.
func appendUnit(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
