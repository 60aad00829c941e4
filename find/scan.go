package find

import "strings"

// scanner finds one URL after the other in a text.
type scanner struct {
	Finder
	text  string
	final bool // the source ends where the text ends
	pos   int  // where the next search begins
	floor int  // end of the last find; the next one begins after it
	more  bool // next returned false because the decision on what begins at keep needs more text
	keep  int
	match match
}

// match is what the scanner found.
type match struct {
	begin, end   int // in the text
	form         Form
	url          string // with its fragment
	alternatives []string
	tooLong      bool
}

// next finds the next URL. It returns false at the end of the text.
func (s *scanner) next() bool {
	s.more, s.keep = false, len(s.text)
	for s.pos < len(s.text) {
		i := strings.IndexByte(s.text[s.pos:], ':')
		if i < 0 {
			s.pos = len(s.text)
			break
		}
		s.pos += i
		if s.colon(s.pos) {
			s.pos, s.floor = s.match.end, s.match.end
			return true
		}
		if s.more {
			return false
		}
		s.pos++
	}
	return false
}

// colon decides whether the name before the colon at i begins a URL.
func (s *scanner) colon(i int) bool {
	s.keep = max(s.floor, i-maxName-1)
	if i == s.floor || !table.ends[s.text[i-1]] && !s.slashes(i+1) {
		return false
	}
	begin, kind := s.name(i)
	angle := begin > s.floor && s.text[begin-1] == '<'
	s.keep = begin
	if angle {
		s.keep--
	}
	switch {
	case begin == i:
		return false
	case kind == urlPrefix:
		return angle && s.wrapped(begin-1, i+1) || !s.more && s.starts(begin) && s.prefixed(begin, i+1)
	case angle && s.angled(begin-1, begin, i, kind):
		return true
	}
	return !s.more && kind != unknown && s.starts(begin) && s.bare(begin, begin, i, kind, Bare)
}

// need reports whether the byte at i is in the text. If it may come later, it sets more.
func (s *scanner) need(i int) bool {
	if i < len(s.text) {
		return true
	}
	s.more = !s.final
	return false
}

// slashes reports whether "//" stands at i.
func (s *scanner) slashes(i int) bool {
	return s.need(i+1) && s.text[i] == '/' && s.text[i+1] == '/'
}

// name returns where the name of a scheme that ends at i begins, and what it is: the longest name if it is in the table, or the
// letters and digits alone. The escape of a line break or tab before it, as in the source of programs, is not part of it.
func (s *scanner) name(i int) (begin int, kind scheme) {
	short := i
	for short > s.floor && i-short < maxName && isAlnum(s.text[short-1]) {
		short--
	}
	begin = short
	for begin > s.floor && i-begin < maxName && isNameByte(s.text[begin-1]) {
		begin--
	}
	if kind = table.lookup(s.text[begin:i]); kind != unknown {
		return begin, kind
	}
	if short > s.floor && short < i && s.text[short-1] == '\\' && strings.IndexByte("nrt", s.text[short]) >= 0 {
		short++
	}
	if kind = table.lookup(s.text[short:i]); kind != unknown {
		return short, kind
	}
	return begin, unknown
}

// starts reports whether a URL without brackets may begin at i: not in the middle of a word.
func (s *scanner) starts(i int) bool {
	if i == s.floor {
		return true
	}
	c := s.text[i-1]
	return !isAlnum(c) && c != '+' || i > 1 && s.text[i-2] == '\\'
}
