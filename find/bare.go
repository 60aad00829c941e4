package find

import (
	"strings"

	"locator"
)

// chunk is how much text is parsed to find the end of a bare URL. Only if a URL fills it, four times as much is parsed, so that the work
// is linear.
const chunk = 512

// maxAhead is how many bytes after a character cut looks at.
const maxAhead = 16

// bare decides whether the URL at from, whose scheme ends at the colon, may stand bare or, with its form beginning before it, after a
// prefix.
func (s *scanner[T]) bare(begin, from, colon int, k kind, form Form) bool {
	if !s.promising(colon, k) {
		return false
	}
	e := ending{limit: begin + s.MaxWrapper - from, iri: s.IRI}
	if begin > 0 {
		e.before = s.text[begin-1]
	}
	url := s.extent(&e, "", from)
	if !plausible(url, colon-from, k) {
		return false
	}
	s.match = match{begin: begin, end: from + len(url), form: form, url: url, tooLong: e.tooLong}
	return true
}

// promising reports whether the bytes after the colon can begin what the scheme must have.
func (s *scanner[T]) promising(colon int, k kind) bool {
	switch k {
	case slashed:
		return s.slashes(colon+1) && s.need(colon+3) && is(s.text[colon+3], urlClass)
	case rooted:
		return s.need(colon+1) && s.text[colon+1] == '/'
	}
	return s.need(colon+1) && is(s.text[colon+1], urlClass)
}

// extent returns the bare URL that begins at from; the text leaves out what is implied. It returns "" if there is none, or if that is
// undecided.
func (s *scanner[T]) extent(e *ending, implied string, from int) string {
	for size := chunk; ; size *= 4 {
		size = min(size, e.limit)
		limit := min(from+size, len(s.text))
		i := from
		for i < limit && is(s.text[i], urlClass) {
			i++
		}
		url := implied + s.string(from, i)
		_, n, err := locator.Current.Prefix(url)
		if err != nil {
			n = 0
		}
		if i == limit { // with more text, Prefix might return more
			switch cut := e.cut(url[:n]); {
			case cut+maxAhead <= n: // not that far
			case limit == len(s.text) && !s.final:
				s.more = true
				return ""
			case limit == len(s.text):
			case size == e.limit:
				e.tooLong = n == len(url)
			case n+len("%41") > len(url):
				continue
			}
		}
		e.after = 0
		if from+n-len(implied) < len(s.text) {
			e.after = s.text[from+n-len(implied)]
		}
		return url[:e.end(url[:n])]
	}
}

// prefixed decides whether a URL follows the prefix "URL:" that begins at begin and ends at from, perhaps after blanks. The prefix is
// in capitals: "url:" is the name of a field in many formats.
func (s *scanner[T]) prefixed(begin, from int) bool {
	if string(s.text[begin:from]) != "URL:" || !s.starts(begin) {
		return false
	}
	for limit := from + maxGap; s.need(from) && from < limit && (s.text[from] == ' ' || s.text[from] == '\t'); {
		from++
	}
	i := from
	for s.need(i) && i-from < maxName && is(s.text[i], nameClass) {
		i++
	}
	if !s.need(i) || s.text[i] != ':' || i == from || !is(s.text[from], alphaClass) {
		return false
	}
	k := lookup(s.text[from:i])
	if k == unknown && s.slashes(i+1) {
		k = slashed
	}
	return !s.more && k > urlPrefix && s.bare(begin, from, i, k, Prefixed)
}

// plausible reports whether a URL is more than a scheme and a word after it.
func plausible(url string, colon int, k kind) bool {
	if len(url) <= colon+1 {
		return false
	}
	rest := url[colon+1:]
	isServer := strings.HasPrefix(rest, "//")
	if isServer && k != rooted {
		rest = rest[2:]
		return rest != "" && (is(rest[0], alnumClass) || rest[0] >= 0x80 || rest[0] == '[' || rest[0] == '%' || rest[0] == '_')
	}
	switch k {
	case rooted:
		return rest[0] == '/' && rest != "/" && rest != "//"
	case addressed:
		if rest[0] == '?' {
			return strings.IndexByte(rest, '=') > 0
		}
		return inside(rest, '@')
	case grouped:
		return rest == "*" || inside(rest, '@') || is(rest[0], alnumClass) && inside(rest, '.')
	}
	return false
}

// inside reports whether c stands in the middle of s.
func inside(s string, c byte) bool {
	i := strings.IndexByte(s, c)
	return 0 < i && i < len(s)-1
}
