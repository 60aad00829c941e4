package find

import (
	"strings"
	"unicode/utf8"

	"locator"
	"locator/internal/span"
)

// ending draws the end of a bare URL. A URL may contain every character that a sentence, a bracket or a quotation mark may put after it.
type ending struct {
	before  byte // the byte before the form; 0 if there is none
	after   byte // the byte after the longest URL; 0 if there is none
	iri     bool
	limit   int  // length of the longest URL
	tooLong bool // the URL goes on beyond the limit
}

// uncut are the characters of URLs that never end one.
var uncut = span.NewSet(func(c byte) bool { return !is(c, cutClass) })

// end returns the length of the URL that url begins with.
func (e *ending) end(url string) int {
	n := len(url)
	for {
		end := n
		if uncut.Length(url[:n]) < n {
			end = e.cut(url[:n])
			if !e.tooLong || end < n {
				end = closed(url[:end])
			}
		}
		if !e.tooLong || end < n {
			end = e.trim(url[:end])
		}
		if end == n || end == 0 {
			return end
		}
		// What is left may not be a URL.
		if _, m, err := locator.Current.Prefix(url[:end]); err != nil {
			return 0
		} else if n = m; m == end {
			return n
		}
	}
}

// cut returns the length of the part of url before the first character that ends it.
func (e *ending) cut(url string) int {
	depth := 0
	for i := 0; i < len(url); i++ {
		c := url[i]
		if !is(c, cutClass) {
			continue
		}
		switch {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return i
			}
		case c == '\'':
			if e.before == '\'' {
				return i
			}
		case c == '&':
			if isEntity(url[i:]) {
				return i
			}
		case c == ',', c == ';':
			if beginsURL(url[i+1:]) {
				return i
			}
		case !e.iri:
			return i
		default:
			r, size := utf8.DecodeRuneInString(url[i:])
			if endsIRI(r) {
				return i
			}
			i += size - 1
		}
	}
	return len(url)
}

// isEntity reports whether text begins with the HTML entity of a character that ends a URL.
func isEntity(text string) bool {
	for _, e := range [...]string{"&lt;", "&gt;", "&quot;", "&#34;", "&#39;", "&apos;", "&nbsp;"} {
		if len(text) >= len(e) && strings.EqualFold(text[:len(e)], e) {
			return true
		}
	}
	return false
}

// beginsURL reports whether text begins with a scheme of the table and "//".
func beginsURL(text string) bool {
	i := strings.IndexByte(text[:min(len(text), maxAhead-len(",//"))], ':')
	return i > 0 && strings.HasPrefix(text[i+1:], "//") && lookup(text[:i]) > urlPrefix
}

// maxDepth is how many brackets are counted within each other. More make the first one unbalanced.
const maxDepth = 16

// closed returns the length of the part of url before the first bracket that is not closed.
func closed(url string) int {
	depth, first := 0, len(url)
	for i := 0; i < len(url); i++ {
		switch url[i] {
		case '(':
			if depth == 0 {
				first = i
			}
			if depth++; depth > maxDepth {
				return first
			}
		case ')':
			depth--
		}
	}
	if depth > 0 {
		return first
	}
	return len(url)
}

// trim returns the length of url without the punctuation at its end.
func (e *ending) trim(url string) int {
	n := len(url)
	for n > 0 {
		c := url[n-1]
		switch {
		case c == 's' && strings.HasSuffix(url[:n], "'s"): // the possessive
			n -= len("'s")
		case is(c, alnumClass) || c == '/':
			return n
		case c == '*' && e.before != '*' && strings.HasSuffix(url[:n], ":*"): // news:*
			return n
		case strings.IndexByte(".,;:!?'*", c) >= 0:
			n--
		case c == e.before && strings.IndexByte("_~-", c) >= 0:
			n--
		case e.after == '>' && (c == '-' || c == '='): // an arrow or the end of a comment
			n--
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeLastRuneInString(url[:n])
			if !isPunct(r) {
				return n
			}
			n -= size
		default:
			return n
		}
	}
	return n
}
