package find

import (
	"strings"
	"unicode/utf8"

	"locator"
	"locator/internal/span"
)

// ending finds the end of a bare URL. A URL may contain every character that a sentence, a bracket
// or a quotation mark may put after it.
type ending struct {
	before byte // the byte before the form; 0 if there is none
	after  byte // the byte after all that may be in a URL; 0 if there is none
	iri    bool
	web    bool

	implied string   // what the text leaves out before its authority
	found   landmark // of the text that cut looks at
}

// settle returns the URL that text begins with, "" if there is none. All of text may be in URLs.
func (e *ending) settle(text string) string {
	for {
		text = text[:e.trim(text)]
		u, n, err := locator.Current.Prefix(text)
		if err != nil {
			return ""
		}
		if n == len(text) {
			n = endOfHost(text, u.Host())
		}
		if n == len(text) {
			return text
		}
		e.after = text[n]
		c := cut(e, text[:n], uncut.Length)
		text = text[:c.closed]
	}
}

// uncut are the characters of URLs that never end one.
var uncut = span.NewSet(func(c byte) bool { return is(c, urlClass) && !is(c, cutClass) })

// maxDepth is how many brackets are counted within each other. More make the first one unbalanced.
const maxDepth = 16

// cuts are the ends that a text may have as a URL.
type cuts struct {
	end    int  // length of the part before the first character that ends every bare URL
	closed int  // length of the part of that before the first bracket that is not closed
	hash   int  // offset of the first "#" in that, or -1
	repair bool // the part before end has characters to be escaped
}

// cut finds the ends of text. length returns the length of its first part without characters of
// cutClass.
func cut[T source](e *ending, text T, length func(T) int) cuts {
	i, hash, depth, first, repair := 0, -1, 0, 0, false
	e.found = landmark{}
scan:
	for {
		if i += length(text[i:]); i >= len(text) {
			break
		}
		switch c := text[i]; {
		case !is(c, cutClass):
			break scan
		case c == '#':
			if i+1 < len(text) && text[i+1] == '{' { // of a template, as "${" is
				break scan
			}
			if hash < 0 {
				hash = i
			} else if e.before == '#' || !secondHash(text[i:]) {
				break scan
			} else {
				repair = true
			}
		case c == '$':
			if i+1 < len(text) && text[i+1] == '{' {
				break scan
			}
		case c == '[', c == '{':
			if c == '[' && (text[i-1] == '/' || text[i-1] == '@') && i < authorityEnd(e, text) { // an IP literal
				break
			}
			n := pair(e, text[i:])
			if n == 0 || i < authorityEnd(e, text) || c == '[' && isLinkText(text, i, i+n) {
				break scan
			}
			i += n - 1
			repair = true
		case c == ']', c == '}':
			if c == '}' || i >= authorityEnd(e, text) {
				break scan
			}
		case c == '&' && i+1 < len(text) && text[i+1] == '&' && !inQuery(e, text[:i]):
			break scan
		case c == '(':
			if depth == 0 {
				first = i
			}
			if depth++; depth > maxDepth {
				i = first
				break scan
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case ends(e, text[i:]):
			break scan
		case c >= utf8.RuneSelf:
			_, size := firstRune(text[i:])
			i += size - 1
		}
		i++
	}
	if depth > 0 {
		return cuts{i, first, hash, repair}
	}
	return cuts{i, i, hash, repair}
}

// firstRune decodes the first character of a text.
func firstRune[T source](text T) (rune, int) {
	return utf8.DecodeRuneInString(string(text[:min(len(text), utf8.UTFMax)]))
}

// maxAhead is how many bytes after a character ends looks at.
const maxAhead = 16

// ends reports whether the first character of text, one of cutClass but no bracket, ends a URL.
func ends[T source](e *ending, text T) bool {
	switch c := text[0]; {
	case c == '\'':
		return e.before == '\''
	case c == '&':
		return isEntity(text)
	case c == ',', c == ';':
		return beginsURL(text[1:]) || e.web && beginsWeb(text[1:])
	case !e.iri:
		return true
	}
	r, size := firstRune(text)
	return r == utf8.RuneError && size == 1 || endsIRI(r) || isPunct(r) && beginsURL(text[size:])
}

// isEntity reports whether text begins with the HTML entity of a character that ends a URL: of a
// quotation mark, an angle bracket or a blank.
func isEntity[T source](text T) bool {
	for i := 3; i < min(len(text), len("&quot;")); i++ {
		if text[i] == ';' {
			switch strings.ToLower(string(text[1:i])) {
			case "lt", "gt", "quot", "apos", "nbsp", "#34", "#39":
				return true
			}
			return false
		}
	}
	return false
}

// beginsURL reports whether text begins with a scheme of the table and "//", or with the prefix
// "URL:".
func beginsURL[T source](text T) bool {
	i := 0
	for i < min(len(text), maxAhead-len(",://")) && is(text[i], nameClass) {
		i++
	}
	if i == len(text) || text[i] != ':' {
		return false
	}
	k := lookup(text[:i])
	return k == urlPrefix && string(text[:i]) == prefix || k > urlPrefix && i+2 < len(text) && text[i+1] == '/' && text[i+2] == '/'
}

// beginsWeb reports whether text begins with "www.".
func beginsWeb[T source](text T) bool {
	const www = "www."
	return len(text) > len(www) && strings.EqualFold(string(text[:len(www)]), www)
}

// trim returns the length of url without the punctuation at its end.
func (e *ending) trim(url string) int {
	n := len(url)
	for n > 0 {
		last := e.punctuation(url[:n])
		if last == 0 {
			break
		}
		n -= last
	}
	return n
}

// punctuation returns the length of the end of url that is not part of it; 0 if there is nothing.
func (e *ending) punctuation(url string) int {
	n := len(url)
	c := url[n-1]
	switch {
	case c == 's' && n > 1 && url[n-2] == '\'': // the possessive
		return len("'s")
	case is(c, alnumClass):
		return 0
	case c == '/':
		if e.before == '/' && strings.HasSuffix(url, "//") || strings.HasSuffix(url, "*/") { // italic in some wikis; the end of a comment
			return len("//")
		}
		return 0
	case c == '\'' && !strings.HasSuffix(url, "''") && strings.Count(url, "'")%2 == 0:
		return 0
	case c == ';':
		return max(1, entity(url))
	case c == '*' && e.before != '*' && isWildcard(url):
		return 0
	case strings.IndexByte(".,:!?'*&", c) >= 0, c == e.before && strings.IndexByte("_~-+=@$", c) >= 0:
		return 1
	case e.before == '-' && c == '+', e.after == '>' && (c == '-' || c == '='): // a frame; an arrow or the end of a comment
		return 1
	case c >= utf8.RuneSelf:
		if r, size := utf8.DecodeLastRuneInString(url); isPunct(r) {
			return size
		}
	}
	return 0
}

// isWildcard reports whether url, which ends with "*", names newsgroups: "news:*" or "news:comp.*"
// (RFC 5538 4).
func isWildcard(url string) bool {
	colon := strings.IndexByte(url, ':')
	return colon > 0 && lookup(url[:colon]) == grouped && strings.IndexByte(":.", url[len(url)-2]) >= 0
}

// entity returns the length of the HTML entity at the end of url, 0 if there is none.
func entity(url string) int {
	const longest = len("&hellip;")
	i := strings.LastIndexByte(url[max(0, len(url)-longest):], '&')
	if i < 0 {
		return 0
	}
	i += max(0, len(url)-longest)
	for _, c := range []byte(url[i+1 : len(url)-1]) {
		if !is(c, alnumClass) && c != '#' {
			return 0
		}
	}
	return len(url) - i
}
