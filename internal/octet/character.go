package octet

import (
	"unicode"
	"unicode/utf8"
)

// Character returns the name of the character that s[i] belongs to, for a message, and its escape.
// A byte that is not part of UTF-8 stands for itself.
func Character(s string, i int) (name, escape string) {
	return string(AppendCharacter(nil, s, i)), string(AppendCharacterEscape(nil, s, i))
}

// AppendCharacter appends the name that Character returns.
func AppendCharacter(b []byte, s string, i int) []byte {
	whole := characterAt(s, i)
	if whole == "" {
		return AppendQuote(b, s[i])
	}
	if r, _ := utf8.DecodeRuneInString(whole); unicode.IsGraphic(r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Zs) {
		return append(append(append(b, '"'), whole...), '"')
	}
	return AppendASCII(append(b, "the character "...), whole)
}

// AppendCharacterEscape appends the escape that Character returns.
func AppendCharacterEscape(b []byte, s string, i int) []byte {
	if whole := characterAt(s, i); whole != "" {
		return AppendASCII(b, whole)
	}
	return AppendEscape(b, s[i])
}

// characterAt returns the character beyond ASCII that s[i] belongs to, "" if there is none.
func characterAt(s string, i int) string {
	begin := i
	for begin > 0 && i-begin < utf8.UTFMax-1 && !utf8.RuneStart(s[begin]) {
		begin--
	}
	r, n := utf8.DecodeRuneInString(s[begin:])
	if s[i] < utf8.RuneSelf || r == utf8.RuneError || begin+n <= i {
		return ""
	}
	return s[begin : begin+n]
}
