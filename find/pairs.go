package find

import "strings"

// landmark has the places of a text that cut looks for only if it must know them.
type landmark struct {
	authority int // the end of the authority; 0 if it is not known
	query     int // the first "?"; 0 if it is not known
}

// authorityEnd returns where the authority of the URL that text begins with ends. Without an
// authority, it is the end of the text.
func authorityEnd[T source](e *ending, text T) int {
	if e.found.authority > 0 {
		return e.found.authority
	}
	i := 0
	if e.implied == "" {
		for i < len(text) && text[i] != ':' {
			i++
		}
		if i++; i+1 >= len(text) || text[i] != '/' || text[i+1] != '/' {
			i = len(text)
		}
		i = min(i+len("//"), len(text))
	}
	for i < len(text) && text[i] != '/' && text[i] != '?' && text[i] != '#' {
		i++
	}
	e.found.authority = i
	return i
}

// inQuery reports whether text, the beginning of a URL, has a "?".
func inQuery[T source](e *ending, text T) bool {
	for i := 0; e.found.query == 0 && i < len(text); i++ {
		if text[i] == '?' {
			e.found.query = i
		}
	}
	return e.found.query > 0
}

// maxPair is the length of the longest part in "[ ]" or "{ }" that belongs to a URL.
const maxPair = 128

// pair returns the length of the part of a URL from the bracket that text begins with to its
// partner; 0 if there is none, or if another URL is between them. "[/" ends an element in some
// markup.
func pair[T source](e *ending, text T) int {
	left, depth := text[0], 0
	right := left + ']' - '[' // the distance of "{" and "}" is the same
	if len(text) > 1 && text[1] == '/' {
		return 0
	}
	for i := range min(len(text), maxPair) {
		switch c := text[i]; {
		case c == left:
			depth++
		case c == right:
			if depth--; depth == 0 {
				return i + 1
			}
		case !is(c, urlClass) || c == '#' || c >= 0x80 && !e.iri,
			c == ':' && i+2 < len(text) && text[i+1] == '/' && text[i+2] == '/':
			return 0
		}
	}
	return 0
}

// isLinkText reports whether the part of text from begin to end, in "[ ]", is the text of a link in
// AsciiDoc or the number of a footnote, which follow a URL that is complete.
func isLinkText[T source](text T, begin, end int) bool {
	if c := text[begin-1]; !is(c, alnumClass) && c != '/' {
		return false
	}
	for end < len(text) && strings.IndexByte(".,:;!?)'", text[end]) >= 0 {
		end++
	}
	return end == len(text) || !is(text[end], urlClass)
}

// secondHash reports whether the "#" that text begins with belongs to a fragment, as in
// "https://matrix.to/#/#room".
func secondHash[T source](text T) bool {
	return len(text) > 1 && (is(text[1], alnumClass) || text[1] == '!' || text[1] == '_')
}

// escaped returns a URL with escapes for the characters that no URL has there: brackets after the
// authority and each "#" but the first.
func escaped(e *ending, url string) string {
	var b strings.Builder
	authority, fragment := authorityEnd(e, url), false
	for i := range len(url) {
		switch c := url[i]; {
		case needsEscape(c, i, authority, fragment):
			b.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
		default:
			b.WriteByte(c)
			fragment = fragment || c == '#'
		}
	}
	return b.String()
}

func needsEscape(c byte, i, authority int, fragment bool) bool {
	return i >= authority && (c == '[' || c == ']' || c == '{' || c == '}' || c == '#' && fragment)
}

// unescapedLength returns how many bytes of a URL become the first n bytes of what escaped returns
// for it.
func unescapedLength(e *ending, url string, n int) (length int, repaired bool) {
	authority, fragment := authorityEnd(e, url), false
	for i := range len(url) {
		if n <= 0 {
			return i, repaired
		}
		c := url[i]
		if needsEscape(c, i, authority, fragment) {
			n -= len("%5B")
			repaired = true
			continue
		}
		n--
		fragment = fragment || c == '#'
	}
	return len(url), repaired
}
