package find

import (
	"errors"
	"strings"
	"unicode/utf8"

	"locator"
)

// cut returns the length of the part of url before the first character that ends a bare URL though a URL may contain it. before is the
// byte before the URL.
func cut(url string, before byte, iri bool) int {
	depth := 0
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return i
			}
		case c == '\'' && before == '\'':
			return i
		case c == '&' && isEntity(url[i:]):
			return i
		case (c == ',' || c == ';') && beginsURL(url[i+1:]):
			return i
		case c >= utf8.RuneSelf:
			if !iri {
				return i
			}
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
	i := strings.IndexByte(text[:min(len(text), table.most+1)], ':')
	return i > 0 && strings.HasPrefix(text[i+1:], "//") && table.lookup(text[:i]) > urlPrefix
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
func trim(url string, before byte, iri bool) int {
	n := len(url)
	for n > 0 {
		c := url[n-1]
		switch {
		case strings.IndexByte(".,;:!?'*", c) >= 0:
			n--
		case c == before && strings.IndexByte("_~-", c) >= 0:
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

// longest returns the length of the longest URL that text begins with.
func longest(text string) int {
	for text != "" {
		_, err := locator.Current.Parse(text)
		var bad *locator.SyntaxError
		if !errors.As(err, &bad) {
			break
		}
		text = text[:min(bad.Offset, len(text)-1)]
	}
	return len(text)
}
