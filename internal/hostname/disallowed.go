package hostname

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"

	"locator/internal/octet"
)

// Disallowed reports whether a label, as Unicode returns it, has a character that no label may
// have, or not at its place (RFC 5892 2): a symbol, punctuation such as the slash look-alikes
// U+2044 and U+2215, or a middle dot outside of Catalan. IDNA as browsers have it (UTS 46) lets
// them through.
func Disallowed(label string) bool {
	runes := []rune(label)
	for i, c := range runes {
		switch {
		case c < 0x80 || unicode.In(c, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd):
		case c == 0x06FD, c == 0x06FE, c == 0x0F0B, c == 0x3007, c == '\u200C', c == '\u200D': // exceptions (2.6); the joiners were checked
		case c == 0xB7 && i > 0 && i+1 < len(runes) && runes[i-1] == 'l' && runes[i+1] == 'l': // appendix A.3
		case c == 0x0375 && i+1 < len(runes) && unicode.Is(unicode.Greek, runes[i+1]): // A.4
		case (c == 0x05F3 || c == 0x05F4) && i > 0 && unicode.Is(unicode.Hebrew, runes[i-1]): // A.5, A.6
		case c == 0x30FB && strings.ContainsFunc(label, isJapanese): // A.7
		default:
			return true
		}
	}
	return false
}

func isJapanese(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// AgainstBidi returns the first label of a host in ASCII that breaks the rules for names with
// letters that are written from right to left (RFC 5893 2, rules 1 and 6), which hold for all
// labels of such a name; "" if there is none. IDNA checks the labels with such letters.
func AgainstBidi(host string) string {
	if !strings.Contains(octet.Lower(host), Prefix) {
		return ""
	}
	rightToLeft, bad := false, ""
	for label := range strings.SplitSeq(host, ".") {
		text, ok := Unicode(label)
		if !ok {
			text = label
		}
		first, last := bidi.ON, bidi.ON
		for i, c := range text {
			p, _ := bidi.LookupRune(c)
			class := p.Class()
			if i == 0 {
				first = class
			}
			if class != bidi.NSM {
				last = class
			}
			rightToLeft = rightToLeft || class == bidi.R || class == bidi.AL || class == bidi.AN
		}
		isLeft := first == bidi.L && (last == bidi.L || last == bidi.EN)
		if bad == "" && text != "" && !isLeft && first != bidi.R && first != bidi.AL {
			bad = label
		}
	}
	if !rightToLeft {
		return ""
	}
	return bad
}
