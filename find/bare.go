package find

import "strings"

// chunk is how much text is first looked at to find the end of a bare URL. A URL that fills it is read again with four times as much,
// so that the work is linear.
const chunk = 512

// bare decides whether the URL at from, whose scheme ends at the colon, may stand bare or, with its form beginning before it, after a
// prefix.
func (s *scanner) bare(begin, from, colon int, kind scheme, form Form) bool {
	if kind == slashed && !s.slashes(colon+1) {
		return false
	}
	var before byte
	if begin > 0 {
		before = s.text[begin-1]
	}
	for size := chunk; ; size *= 4 {
		size = min(size, begin+s.MaxWrapper-from)
		whole := from+size >= len(s.text)
		text := s.text[from:min(from+size, len(s.text))]
		n := longest(text)
		end := cut(text[:n], before, s.IRI)
		if end == n && n > len(text)-len("%41") { // it may go on
			if whole && !s.final {
				s.more = true
				return false
			}
			if !whole && from+size < begin+s.MaxWrapper {
				continue
			}
		} else if whole && !s.final && n == 0 {
			s.more = true
			return false
		}
		tooLong := !whole && end == n && n == len(text)
		if !tooLong {
			end = trim(text[:closed(text[:end])], before, s.IRI)
		}
		if end < n {
			end = longest(text[:end])
		}
		if !plausible(text[:end], colon-from, kind) {
			return false
		}
		s.match = match{begin: begin, end: from + end, form: form, url: text[:end], tooLong: tooLong}
		return true
	}
}

// prefixed decides whether a URL follows the prefix "URL:" that begins at begin and ends at from.
func (s *scanner) prefixed(begin, from int) bool {
	i := from
	for i-from < maxName && s.need(i) && isNameByte(s.text[i]) {
		i++
	}
	if !s.need(i) || s.text[i] != ':' || i == from || !isAlpha(s.text[from]) {
		return false
	}
	kind := table.lookup(s.text[from:i])
	if kind == unknown && s.slashes(i+1) {
		kind = slashed
	}
	return !s.more && kind != unknown && kind != urlPrefix && s.bare(begin, from, i, kind, Prefixed)
}

// plausible reports whether a URL is more than a scheme and a word after it.
func plausible(url string, colon int, kind scheme) bool {
	if len(url) <= colon+1 {
		return false
	}
	rest, isHost := strings.CutPrefix(url[colon+1:], "//")
	switch at := strings.IndexByte(rest, '@'); {
	case kind == unknown, isHost && kind != rooted:
		return isHost && rest != "" && (isAlnum(rest[0]) || rest[0] >= 0x80 || strings.IndexByte("[%_", rest[0]) >= 0)
	case kind == rooted:
		return isHost && rest != "" || len(rest) > 1 && rest[0] == '/'
	case kind == addressed && strings.HasPrefix(rest, "?"):
		return strings.IndexByte(rest, '=') > 0
	case kind == addressed, kind == grouped && at >= 0:
		return 0 < at && at < len(rest)-1
	case kind == grouped:
		return isAlnum(rest[0]) && strings.IndexByte(rest, '.') > 0
	}
	return false
}
