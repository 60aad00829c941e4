package find

import (
	"strings"

	"locator"
)

// chunk is how much text is parsed to find the end of a bare URL. Only if a URL fills it, four times as much is parsed, so that the work
// is linear.
const chunk = 512

// maxPart is the length of a part of a URL that may be incomplete at the end of a chunk, such as a character or "?subject".
const maxPart = 64

// bare decides whether the URL at from, whose scheme ends at the colon, may stand bare or, with its form beginning before it, after a
// prefix.
func (s *scanner[T]) bare(begin, from, colon int, k kind, form Form) bool {
	if !s.promising(colon, k) {
		return false
	}
	likely := func(url string) bool { return plausible(url, colon-from, k) }
	x := s.extent(begin, from, "", likely)
	if !likely(x.url) {
		return false
	}
	s.set(begin, from+len(x.url), form, x.url, x.hash)
	s.found.TooLong = x.tooLong
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

// extent is the part of a text that a bare URL has.
type extent struct {
	url     string // "" if there is none, or if that is undecided
	hash    int    // offset of the "#", or -1
	tooLong bool
}

// extent returns the bare URL at from, whose form begins at begin; the text leaves out what is implied. A URL that fills the first chunk is
// read on only if likely accepts that chunk with one more letter: otherwise each of many beginnings would be read up to MaxWrapper.
func (s *scanner[T]) extent(begin, from int, implied string, likely func(url string) bool) extent {
	e := ending{iri: s.IRI}
	if begin > 0 {
		e.before = s.text[begin-1]
	}
	for size := chunk; ; size *= 4 {
		limit := min(from+size, begin+s.MaxWrapper, len(s.text))
		text := s.text[from:limit]
		c := cut(&e, text, s.uncut)
		if c.end == len(text) || c.end+maxAhead > len(text) && is(text[c.end], urlClass) { // with more text, it may be longer
			url := implied + string(text[:c.end])
			_, n, _ := locator.Current.Prefix(url)
			switch {
			case limit == len(s.text) && !s.final:
				s.more = true
				return extent{}
			case limit == len(s.text), n < len(url)-maxPart:
			case size == chunk && !likely(url+"a"):
				return extent{}
			case limit < begin+s.MaxWrapper:
				continue
			case n == len(url) && c.closed == len(text):
				return extent{url, c.hash, true}
			}
		}
		url := s.string(from, from+c.closed)
		if implied != "" {
			url = implied + url
		}
		e.after = 0
		if from+c.closed < len(s.text) {
			e.after = s.text[from+c.closed]
		}
		if url = e.settle(url); c.hash+len(implied) >= len(url) {
			c.hash = -1
		}
		return extent{url: url, hash: c.hash}
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
