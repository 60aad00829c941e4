package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// endOfHost returns where the URL in text ends if its host is host: at the first character of the
// host that RFC 3986 allows there, but no name has, or before a hyphen at its end. Without them, it
// is the end of the text.
func endOfHost(text, host string) int {
	n := 0
	for n < len(host) && !is(host[n], endHostClass) {
		n++
	}
	if host == "" || host[0] == '[' || n == len(host) && host[n-1] != '-' {
		return len(text)
	}
	authority := strings.Index(text, "//") + len("//")
	end := authority
	for end < len(text) && strings.IndexByte("/?#", text[end]) < 0 {
		end++
	}
	begin := authority + strings.LastIndexByte(text[authority:end], '@') + 1
	if n < len(host) {
		return begin + n
	}
	if begin+n == len(text) {
		return len(strings.TrimRight(text, "-."))
	}
	return len(text)
}

// endsInHost reports whether nothing follows the host and port of a URL, or the host of its mail
// address.
func endsInHost(url string) bool {
	_, rest, _ := strings.Cut(url, ":")
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		return strings.IndexByte(after, '/') < 0 && !strings.ContainsAny(after, "?#")
	}
	i := strings.LastIndexByte(rest, '@')
	return i >= 0 && !strings.ContainsAny(rest[i:], "/?#")
}

// hasPort reports whether a URL that ends in its authority has a port.
func hasPort(url string) bool {
	return strings.LastIndexByte(url, ':') > max(strings.LastIndexByte(url, '@'), strings.LastIndexByte(url, ']'), strings.LastIndexByte(url, '/'))
}

// isSingle reports whether the host of a URL that ends in its host has one label only.
func isSingle(url string) bool {
	return strings.IndexByte(url[max(strings.LastIndexByte(url, '@'), strings.LastIndexByte(url, '/'))+1:], '.') < 0
}

// maxHostAhead is how many bytes after a host hostGoesOn looks at.
const maxHostAhead = 64

// hostGoesOn reports whether the host that ends at i goes on in the text, though not in the URL.
// What ends at i would name another host. It goes on with a letter or mark beyond ASCII, with what
// takes the place of a port, with a second "@", and with a part in brackets, as in "foo[.]example"
// or "api.{region}.example". port reports whether a port precedes i, single whether the host has no
// dot, so that "foo" of "foo;x.example" is unlikely to be meant, and before is the byte before the
// URL.
func (s *scanner[T]) hostGoesOn(i int, port, single bool, before byte) bool {
	if s.need(i + maxHostAhead); s.more {
		return false
	}
	text := string(s.text[i:min(i+maxHostAhead, len(s.text))])
	rest := strings.TrimLeft(text, "-.")
	gap := text[:len(text)-len(rest)]
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case c >= utf8.RuneSelf:
		return lettersGoOn(rest, strings.HasSuffix(gap, ".") || strings.HasSuffix(gap, "--"))
	case c == ':' && gap == "" && !port:
		return len(rest) > 1 && rest[1] != before && (is(rest[1], alnumClass) || strings.IndexByte("%${", rest[1]) >= 0 || beginsLetter(rest[1:])) && !beginsURL(rest[1:])
	case c == '@':
		return before != '@'
	case c == '\\': // of an expression; "\n" ends a string
		return dotGoesOn(rest[1:])
	case (c == '%' || c == '$') && len(rest) > 1 && (is(rest[1], alnumClass) || rest[1] == '{' || rest[1] == '('):
		return true
	case strings.IndexByte("$*+=!~", c) >= 0 && c != before && dotGoesOn(rest[1:]): // a pattern, as in "eu*.example"
		return true
	case single && c != before && strings.IndexByte("&()", c) < 0 && is(c, endHostClass):
		return dotGoesOn(strings.TrimLeft(rest[1:], labelBytes))
	}
	return bracketGoesOn(rest, gap != "")
}

const labelBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// dotGoesOn reports whether text begins with a dot and a letter or digit.
func dotGoesOn(text string) bool { return len(text) > 1 && text[0] == '.' && is(text[1], alnumClass) }

// bracketGoesOn reports whether a text after a host begins with a part in brackets after which the
// host goes on. gap reports whether a "." or "-" precedes the bracket. Only after one of these is
// "<...>" not an HTML tag.
func bracketGoesOn(text string, gap bool) bool {
	i := strings.IndexByte("[{(<", text[0])
	if i < 0 {
		return false
	}
	n := strings.IndexByte(text, "]})>"[i])
	if n < 0 || strings.ContainsAny(text[:n], " \t\r\n\"'") {
		return false
	}
	inner, after := text[1:n], text[n+1:]
	if text[0] == '<' && (!gap || strings.Trim(inner, "/!") != inner) || after == "" {
		return false
	}
	if is(after[0], alnumClass) {
		return text[0] != '<'
	}
	return dotGoesOn(after) || (gap || text[0] == '[' || text[0] == '{') && (after[0] == '/' || after[0] == ':')
}

// lettersGoOn reports whether a host goes on with the characters beyond ASCII that text begins
// with. In the scripts that write no blanks between words, and in Korean, which adds particles,
// letters after a host belong to the sentence, unless dot reports that a "." or "--" is before
// them, or a name goes on behind them.
func lettersGoOn(text string, dot bool) bool {
	r, size := utf8.DecodeRuneInString(text)
	switch r {
	case '\uFF0E', '\uFF61': // IDNA makes dots of them; the one of Chinese, U+3002, ends a sentence more often
		return len(text) > size && is(text[size], alnumClass)
	case '\u200B', '\u2060', '\uFEFF': // IDNA drops them
		return dotGoesOn(text[size:])
	}
	if string(r) == softHyphen || isJoiner(r) {
		rest := strings.TrimLeft(text[size:], "-.")
		return rest != "" && (is(rest[0], alnumClass) || beginsLetter(rest))
	}
	if !beginsLetter(text) {
		return false
	}
	if dot || !isUnspaced(r) {
		return true
	}
	for beginsLetter(text) {
		_, size = utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return len(text) > 1 && text[0] == '.' && (is(text[1], alnumClass) || beginsLetter(text[1:]))
}

// beginsLetter reports whether text begins with a letter, mark or digit beyond ASCII.
func beginsLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= utf8.RuneSelf && r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isUnspaced reports whether a letter is of a script in which words follow each other, or particles
// a foreign name, without a blank.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Tibetan, unicode.Yi) || 0x3005 <= r && r <= 0x30FF
}
