package bnf

import (
	"math/rand/v2"
	"strings"
)

// pieces are what mutations put in: what separates parts, what is nearly
// right, and what belongs nowhere.
func pieces() []string {
	return []string{
		":", "/", "//", "://", "?", "#", "@", ";", "=", "&", "|", "~", "%", "%%",
		"%4", "%zz", "%4g", "%g4", "%41", "%7e", "%7E", "%2F", "%2f", "%00", "%09", "%0D%0A", "%FF", "%3A",
		".", "..", "-", "--", "-.", ".-", "*", "+", "_", ",", "0", "00", "1.2.3.4", "1.2.3", "256.1.1.1", ":80", ":0",
		";type=", ";type=a", ";type=D", ";type=x", ";TYPE=i", "a=b", ";a=b", "localhost", "[::1]", "user:pass@", "@h",
		"\x00", "\t", "\r", "\n", "\r\n", " ", "\x1b", "\x7f", "\x80", "\xc3", "\xff", "é", "\u212a", "／",
		"<", ">", "\"", "{", "}", "\\", "^", "[", "]", "`",
		"URL:", "x-y:", "http:", "HTTP://",
	}
}

// Mutate returns text with one to three random changes: bytes deleted, put in,
// replaced, doubled, swapped or cut off, case changed, an escape cut short,
// the scheme exchanged. The bytes put in are mostly those that URLs treat
// specially. The result may be as wrong or as right as the text was, and may,
// rarely, equal it. Each change at most doubles it or adds a dozen bytes.
func Mutate(r *rand.Rand, text string) string {
	for n := 1 + r.IntN(2)*r.IntN(3); n > 0; n-- {
		text = mutate(r, text)
	}
	return text
}

func mutate(r *rand.Rand, s string) string {
	i, j := cut(r, s)
	switch r.IntN(13) {
	case 0: // delete one
		return s[:i] + s[min(i+1, len(s)):]
	case 1: // delete some
		return s[:i] + s[j:]
	case 2, 3: // put in
		return s[:i] + piece(r) + s[i:]
	case 4, 5: // replace one
		return s[:i] + piece(r) + s[min(i+1, len(s)):]
	case 6: // replace some
		return s[:i] + piece(r) + s[j:]
	case 7: // double some
		return s[:j] + s[i:]
	case 8: // swap two parts
		k := j + r.IntN(len(s)-j+1)
		return s[:i] + s[j:k] + s[i:j] + s[k:]
	case 9: // cut off
		return s[:i]
	case 10: // other case
		if r.IntN(2) == 0 {
			return s[:i] + strings.ToUpper(s[i:j]) + s[j:]
		}
		return s[:i] + strings.ToLower(s[i:j]) + s[j:]
	case 11: // cut an escape short, or spoil it
		if k := strings.IndexByte(s[i:], '%'); k >= 0 {
			i += k + 1
			return s[:i] + s[min(i+1+r.IntN(2), len(s)):]
		}
		return s + "%" + [...]string{"", "4", "g", "4g", "f"}[r.IntN(5)]
	default: // another scheme
		list := Schemes()
		_, rest, _ := strings.Cut(s, ":")
		return list[r.IntN(len(list))] + ":" + rest
	}
}

// cut returns the ends of a random, mostly short, part of s.
func cut(r *rand.Rand, s string) (i, j int) {
	i = r.IntN(len(s) + 1)
	n := len(s) - i
	if r.IntN(4) > 0 {
		n = min(n, 4)
	}
	return i, i + r.IntN(n+1)
}

// piece returns something to put in: mostly one of pieces, else any byte.
func piece(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return string([]byte{byte(r.IntN(256))})
	}
	list := pieces()
	return list[r.IntN(len(list))]
}
