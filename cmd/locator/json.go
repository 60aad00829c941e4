package main

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"locator"
	"locator/internal/span"
)

// The parts of a URL are bytes, and encoding/json would lose those that are not UTF-8. So JSON is appended by hand.

// jsonPlain holds the characters that need no escape in a string.
var jsonPlain = span.NewSet(func(c byte) bool { return c >= ' ' && c < 0x7F && c != '"' && c != '\\' })

const jsonHex = "0123456789abcdef"

// appendString appends s as a JSON string. A byte that is not UTF-8 becomes \udcXX, which stands for no character, so that
// every byte can be restored. Characters that a terminal cannot print are escaped, too.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; ; {
		if i += jsonPlain.Length(s[i:]); i == len(s) {
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
	b = append(b, s[done:]...)
	return append(b, '"')
}

// appendEscaped appends the escape of one character. Beyond U+FFFF that is two surrogates (RFC 8259 7).
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
	return append(b, '\\', 'u', jsonHex[r>>12&15], jsonHex[r>>8&15], jsonHex[r>>4&15], jsonHex[r&15])
}

// appendKey appends the name of a field, and a comma before it unless it is the first of its object. Names need no escapes.
func appendKey(b []byte, name string) []byte {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// appendText appends a field with a string.
func appendText(b []byte, name, s string) []byte { return appendString(appendKey(b, name), s) }

// appendOptional appends a field with a string, or null if the part is absent.
func appendOptional(b []byte, name string, o locator.Optional) []byte {
	b = appendKey(b, name)
	if s, ok := o.Get(); ok {
		return appendString(b, s)
	}
	return append(b, "null"...)
}

// appendFilled appends a field with a string, or null if that is empty.
func appendFilled(b []byte, name, s string) []byte {
	return appendOptional(b, name, optionalOf(s, s != ""))
}

// appendList appends a field with an array of strings. A nil list becomes [].
func appendList(b []byte, name string, list []string) []byte {
	b = append(appendKey(b, name), '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendBool appends a field with true or false.
func appendBool(b []byte, name string, v bool) []byte {
	return strconv.AppendBool(appendKey(b, name), v)
}
