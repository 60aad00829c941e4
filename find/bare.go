package find

import (
	"strings"

	"locator"
)

// chunk is how much text is parsed to find the end of a bare URL. Only if a URL fills it, four
// times as much is parsed, so that the work is linear.
const chunk = 512

// maxPart is the length of a part of a URL that may be incomplete at the end of a chunk, such as a
// character or "?subject".
const maxPart = 64

// bare reports whether there is a URL without brackets at from, and records it. Its scheme ends at
// colon. Its form begins at begin, which is from, or the prefix before it.
func (s *scanner[T]) bare(begin, from, colon int, k kind, form Form) bool {
	if !s.promising(colon, k) {
		return false
	}
	x := s.extent(begin, from, "")
	if !plausible(x.url, colon-from, k) {
		return false
	}
	s.set(begin, from+x.length, form, x.url, x.hash)
	s.found.TooLong, s.found.Repaired = x.tooLong, x.repaired
	return true
}

// maxID is within how many bytes after the colon a URL of a mail address, message or group has the
// character that shows it.
const maxID = chunk

// promising reports whether the bytes after the colon can begin what the scheme must have.
func (s *scanner[T]) promising(colon int, k kind) bool {
	i := colon + 1
	switch k {
	case slashed:
		return s.slashes(i) && s.need(i+2) && beginsHost(s.text[i+2])
	case rooted:
		return s.need(i) && s.text[i] == '/'
	}
	if !s.need(i) || !is(s.text[i], urlClass) {
		return false
	}
	limit := min(len(s.text), i+maxID)
	switch at := s.indexByte(s.text[i:limit], '@'); {
	case at == 0, k == grouped && s.text[i] == '*' && s.need(i+1) && s.text[i+1] == ':': // "news:*:9:13:", an account
		return false
	case at > 0:
		return true
	case k == grouped && (s.indexByte(s.text[i:limit], '.') > 0 || s.text[i] == '*' || s.slashes(i)):
		return true
	case k == addressed && s.text[i] == '?':
		return true
	}
	s.need(i + maxID - 1)
	return false
}

// beginsHost reports whether the name of a host may begin with c.
func beginsHost(c byte) bool {
	return is(c, alnumClass) || c >= 0x80 || c == '[' || c == '%' || c == '_'
}

// extent is the text of a bare URL.
type extent struct {
	url      string // "" if there is none, or if that is undecided
	length   int    // of what the text has of it
	hash     int    // offset of the "#" in url, or -1
	tooLong  bool
	repaired bool
}

// extent returns the bare URL at from, whose form begins at begin; the text leaves out what is
// implied. The caller has made sure that most texts have a URL there: otherwise each of many
// beginnings would be read up to MaxWrapper.
func (s *scanner[T]) extent(begin, from int, implied string) extent {
	e := ending{iri: s.IRI, web: s.Web, implied: implied}
	if begin > 0 {
		e.before = s.text[begin-1]
	}
	if e.before == '=' && begin > 1 && s.text[begin-2] > ' ' { // a value, not a frame
		e.before = 0
	}
	for size := chunk; ; size *= 4 {
		limit := min(from+size, begin+s.MaxWrapper, len(s.text))
		text := s.text[from:limit]
		c := cut(&e, text, s.uncut)
		if c.end == len(text) || c.end+ahead(text[c.end]) > len(text) && is(text[c.end], urlClass) { // with more text, it may be longer
			url := implied + string(text[:c.end])
			if c.repair {
				url = implied + escaped(&e, url[len(implied):])
			}
			_, n, _ := locator.Current.Prefix(url)
			switch {
			case limit == len(s.text) && !s.final:
				s.more = true
				return extent{}
			case limit == len(s.text), n < len(url)-maxPart:
			case limit < begin+s.MaxWrapper:
				continue
			case n == len(url) && c.closed == len(text) && is(s.text[limit], urlClass):
				return extent{url: url, length: limit - from, hash: strings.IndexByte(url, '#'), tooLong: true, repaired: c.repair}
			}
		}
		url := s.string(from, from+c.closed)
		if c.repair {
			url = escaped(&e, url)
		}
		if implied != "" {
			url = implied + url
		}
		e.after = 0
		if from+c.closed < len(s.text) {
			e.after = s.text[from+c.closed]
		}
		return s.settled(&e, begin, from, c, url)
	}
}

// settled returns the extent of the URL that url begins with. It begins at from, and its form at
// begin.
func (s *scanner[T]) settled(e *ending, begin, from int, c cuts, url string) extent {
	if url = e.settle(url); url == "" {
		return extent{}
	}
	x := extent{url: url, hash: c.hash + len(e.implied), length: len(url) - len(e.implied)}
	if c.repair {
		x.length, x.repaired = unescapedLength(e, string(s.text[from:from+c.closed]), x.length)
		x.hash = strings.IndexByte(url, '#')
	} else if c.hash < 0 || x.hash >= len(url) {
		x.hash = -1
	}
	if endsInHost(url) && (s.hostGoesOn(from+x.length, hasPort(url), isSingle(url), s.before(begin)) || s.more) {
		return extent{}
	}
	return x
}

// before returns the byte before offset i, 0 at the beginning.
func (s *scanner[T]) before(i int) byte {
	if i == 0 {
		return 0
	}
	return s.text[i-1]
}

// ahead returns how many bytes are needed to decide whether c ends a URL.
func ahead(c byte) int {
	if c == '[' || c == '{' {
		return maxPair + maxAhead
	}
	return maxAhead
}

// prefix is the prefix of a URL without brackets. It is in capitals: "url" is the name of a field
// in many formats.
const prefix = "URL"

// prefixed decides whether a URL follows the prefix "URL:" that begins at begin and ends at from,
// perhaps after blanks.
func (s *scanner[T]) prefixed(begin, from int) bool {
	if string(s.text[begin:from-1]) != prefix || !s.starts(begin) {
		return false
	}
	if begin-2 >= s.floor && strings.IndexByte("-._", s.text[begin-1]) >= 0 && is(s.text[begin-2], alnumClass) {
		return false // the name of a field: "X-URL:"
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
		return rest != "" && beginsHost(rest[0])
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
		return rest == "*" || inside(rest, '@') || isHierarchy(rest)
	}
	return false
}

// isHierarchy reports whether rest begins like the name of a newsgroup: with a name and a dot. In
// "news:1.4.2", a version follows a name.
func isHierarchy(rest string) bool {
	top, _, ok := strings.Cut(rest, ".")
	return ok && inside(rest, '.') && is(rest[0], alnumClass) && strings.Trim(top, "0123456789") != ""
}

// inside reports whether c is in the middle of s.
func inside(s string, c byte) bool {
	i := strings.IndexByte(s, c)
	return 0 < i && i < len(s)-1
}
