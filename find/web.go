package find

import "strings"

// web decides whether a name of a web server, which begins with "www.", stands around the "ww." at i.
func (s *scanner[T]) web(i int) bool {
	begin := i - 1
	if begin < s.floor || s.text[begin]|0x20 != 'w' || begin > s.floor && joins(s.text[begin-1]) {
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
	s.set(begin, begin+len(x.url)-len(implied), Bare, x.url, strings.IndexByte(x.url, '#'))
	s.found.TooLong = x.tooLong
	return true
}

// host returns the letters, digits, "-" and "." at i. It returns false if there are too many, or if they may go on.
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

// joins reports whether a name or address does not begin after c, since it goes on before it.
func joins(c byte) bool {
	return is(c, alnumClass) || strings.IndexByte("-._@/%+", c) >= 0 || c >= 0x80
}

// address decides whether a mail address stands around the "@" at i.
func (s *scanner[T]) address(i int) bool {
	begin := i
	for begin > s.floor && i-begin < maxName && is(s.text[begin-1], localClass) {
		begin--
	}
	if begin > s.floor && joins(s.text[begin-1]) {
		return false
	}
	for begin < i && !is(s.text[begin], alnumClass) {
		begin++
	}
	if begin == i {
		return false
	}
	host, ok := s.host(i + 1)
	if end := i + 1 + len(host); !ok || end < len(s.text) && (s.text[end] == '@' || s.text[end] == '_' || s.text[end] >= 0x80 && s.IRI) {
		return false
	}
	if host = strings.TrimRight(host, ".-"); !isDomain(host) {
		return false
	}
	end := i + 1 + len(host)
	s.set(begin, end, Bare, "mailto:"+s.string(begin, end), -1)
	return true
}

// maxHost is the length of the longest name of a host (RFC 1035 2.3.4).
const maxHost = 255

// isDomain reports whether host is a name with at least two labels, whose last one is no number.
func isDomain(host string) bool {
	last := strings.LastIndexByte(host, '.')
	if last <= 0 || last+3 > len(host) || strings.Contains(host, "..") || host[0] == '.' || host[0] == '-' {
		return false
	}
	return !strings.ContainsAny(host[last+1:], "0123456789_")
}
