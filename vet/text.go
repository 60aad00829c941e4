package vet

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

func findControlOctet(u locator.URL, found func(string)) {
	for part, c := range locator.UnsafeOctets(u.View()) {
		found("the " + part + " contains the byte " + octet.Escape(c) + ", which would end or split a command")
	}
}

func findDoubleEscape(u locator.URL, found func(string)) {
	text := u.WithoutFragment().Redacted()
	for i := 0; i < len(text); i++ {
		c, ok := octet.At(text, i)
		if !ok {
			continue
		}
		if c == '%' {
			if n := hexDigits(text[i+3:]); n > 0 {
				found("the URL contains " + text[i:i+3+n] + ", which decodes to another escape")
				return
			}
		}
		i += 2
	}
}

// hexDigits returns the length of two hexadecimal digits, each of which may be escaped, that text
// begins with; 0 if it does not.
func hexDigits(text string) (n int) {
	for range 2 {
		c, escaped := octet.At(text, n)
		size := len("%41")
		if !escaped {
			if n == len(text) {
				return 0
			}
			c, size = text[n], 1
		}
		if !octet.IsHex(c) {
			return 0
		}
		n += size
	}
	return n
}

// findActiveScheme finds the schemes whose URLs do not locate content but contain it, also in those
// that only say how to show a URL.
func findActiveScheme(u locator.URL, found func(string)) {
	scheme, rest := u.Scheme(), u.SchemePart()
	for scheme == "view-source" || scheme == "feed" || scheme == "jar" {
		inner, after, ok := strings.Cut(rest, ":")
		if !ok {
			return
		}
		scheme, rest = octet.Lower(inner), after
	}
	switch scheme {
	case "javascript", "vbscript", "livescript":
		found("the URL is a program, which a web browser runs in the page that links to it")
	case "data", "blob":
		found("the URL is a document, which its author chose; it names no server")
	case "intent":
		found("the URL starts a program of the device, with what its author chose")
	}
}

// findInvisible allows the joiners and selectors that the spelling of a language or an emoji needs,
// but not in a host, where people compare names by eye.
func findInvisible(u locator.URL, found func(string)) {
	c, ok := firstInvisible(u.Host(), func(_, _, _ rune) bool { return false })
	if !ok {
		c, ok = firstInvisible(u.Redacted(), isNeeded)
	}
	if ok {
		found(fmt.Sprintf("the URL contains the character U+%04X, which cannot be seen as itself", c))
	}
}

// firstInvisible returns the first invisible character of a text, as it is or escaped, that is not
// needed after the character before it and after the last one that is not a mark, joiner or
// selector.
func firstInvisible(text string, needed func(base, before, c rune) bool) (invisible rune, ok bool) {
	base, before := ' ', ' '
	for i := 0; i < len(text); {
		c, size := octet.Rune(text[i:])
		size *= 3
		if size == 0 {
			if c, size = utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && size == 1 {
				c = ' ' // no character
			}
		}
		switch hidden := hostname.Invisible(c); {
		case hidden && !needed(base, before, c):
			return c, true
		case !hidden && !unicode.Is(unicode.Inherited, c):
			base = c
		}
		before = c
		i += size
	}
	return 0, false
}

const (
	nonJoiner  = 0x200C
	joiner     = 0x200D
	textStyle  = 0xFE0E // after a symbol: not as an emoji
	emojiStyle = 0xFE0F
)

// isNeeded reports whether orthography needs an invisible character at its place: a joiner in a
// script whose letters join (RFC 5892 appendix A.1 and A.2, UAX 31 2.3), and joiners and selectors
// of emoji (UTS 51 2). Two in a row would hide something.
func isNeeded(base, before, c rune) bool {
	switch c {
	case joiner, nonJoiner:
		return before != joiner && before != nonJoiner && (isJoining(base) || c == joiner && isEmoji(base))
	case textStyle, emojiStyle:
		return isEmoji(before) || strings.ContainsRune("0123456789#*\u203C\u2049\u2139\u3030", before)
	}
	return false
}

// isJoining reports whether c is of a script that needs joiners: cursive, or with letters that are
// written as one.
func isJoining(c rune) bool {
	return unicode.In(c, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Devanagari,
		unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// isEmoji reports whether c may be an emoji: a symbol beyond ASCII.
func isEmoji(c rune) bool { return c >= utf8.RuneSelf && unicode.IsSymbol(c) }
