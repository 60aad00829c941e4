package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// web decides whether a name of a web server, which begins with "www.", is around the "ww." at i.
func (s *scanner[T]) web(i int) bool {
	begin := i - 1
	if begin < s.floor || s.text[begin]|0x20 != 'w' || s.joins(begin) {
		return false
	}
	host, ok := s.host(i + len("ww."))
	if end := i + len("ww.") + len(host); !ok || !isDomain(strings.TrimRight(host, ".-")) && !(s.IRI && end < len(s.text) && s.text[end] >= 0x80) {
		return false
	}
	x := s.extent(begin, begin, implied)
	if len(x.url) <= len(implied+"www.") {
		return false
	}
	s.set(begin, begin+x.length, Bare, x.url, x.hash)
	s.found.TooLong, s.found.Repaired = x.tooLong, x.repaired
	return true
}

// host returns the letters, digits, "-" and "." at i. It returns false if there are too many, or if
// they may go on.
func (s *scanner[T]) host(i int) (host string, ok bool) {
	end := i
	for s.need(end) && end-i <= maxHost && (is(s.text[end], alnumClass) || s.text[end] == '-' || s.text[end] == '.') {
		end++
	}
	if s.more || end-i > maxHost {
		return "", false
	}
	return string(s.text[i:end]), true
}

// implied is what a name of a web server leaves out.
const implied = "http://"

// joins reports whether a name or address does not begin at i, since it goes on before that.
func (s *scanner[T]) joins(i int) bool {
	if i == s.floor {
		return false
	}
	c := s.text[i-1]
	if c < utf8.RuneSelf {
		return is(c, alnumClass) || strings.IndexByte("-._@/%+", c) >= 0
	}
	r, size := utf8.DecodeLastRuneInString(string(s.text[max(s.floor, i-utf8.UTFMax):i]))
	return r == utf8.RuneError && size == 1 || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// address decides whether a mail address is around the "@" at i.
func (s *scanner[T]) address(i int) bool {
	begin := s.localPart(i)
	if begin == i || s.joins(begin) || s.isPartOfWord(begin) {
		return false
	}
	host, ok := s.host(i + 1)
	if end := i + 1 + len(host); !ok || end < len(s.text) && (s.text[end] == '@' || s.text[end] == '_') {
		return false
	}
	if host = strings.TrimRight(host, ".-"); !isDomain(host) {
		return false
	}
	end := i + 1 + len(host)
	if s.hostGoesOn(end, false, false, s.before(begin)) || s.more || s.IRI && beginsLetter(string(s.text[end:min(end+utf8.UTFMax, len(s.text))])) {
		return false
	}
	if quote := strings.LastIndexByte(string(s.text[begin:i]), '\''); quote >= 0 && end < len(s.text) && s.text[end] == '\'' { // u'me@host.dom'
		begin += quote + 1
	}
	for begin < i && !is(s.text[begin], alnumClass) && (s.text[begin] != '~' && s.text[begin] != '_' || end < len(s.text) && s.text[end] == s.text[begin]) {
		begin++
	}
	local := string(s.text[begin:i])
	if local == "" || strings.Contains(local, "..") || strings.HasSuffix(local, ".") {
		return false
	}
	s.set(begin, end, Bare, "mailto:"+s.string(begin, end), -1)
	return true
}

// localPart returns where the part of a mail address before the "@" at i begins. An apostrophe
// belongs to it only after a letter or digit.
func (s *scanner[T]) localPart(i int) int {
	begin := i
	for begin > s.floor && i-begin < maxName {
		c := s.text[begin-1]
		if !is(c, localClass) && (c != '\'' || begin-1 == s.floor || !is(s.text[begin-2], alnumClass)) {
			break
		}
		begin--
	}
	return begin
}

// isPartOfWord reports whether what begins at i is the end of a longer part of a mail address
// (RFC 5322 3.2.3), such as that of "a?b@host.dom" or "a".b@host.dom.
func (s *scanner[T]) isPartOfWord(i int) bool {
	if i-2 < s.floor {
		return false
	}
	switch c := s.text[i-1]; c {
	case '"':
		return s.text[i] == '.'
	case '?', '&', '#', '^':
		return is(s.text[i-2], alnumClass)
	}
	return false
}

// maxHost is the length of the longest name of a host (RFC 1035 2.3.4).
const maxHost = 255

// isDomain reports whether host is a name with at least two labels, whose last one is not a number.
func isDomain(host string) bool {
	last := strings.LastIndexByte(host, '.')
	if last <= 0 || last+3 > len(host) || strings.Contains(host, "..") || host[0] == '.' || host[0] == '-' {
		return false
	}
	return !strings.ContainsAny(host[last+1:], "0123456789_")
}
