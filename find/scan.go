package find

import (
	"locator"
)

// scanner finds the URLs of a text that is in memory, or of the part of a source that is.
type scanner[T source] struct {
	Finder
	anchors[T]
	pool
	text  T
	first bool // the source begins where the text begins
	final bool // the source ends where the text ends

	pos     int   // where the next search begins
	floor   int   // end of the last URL; the next one begins after it
	counted int   // up to where lines are counted
	place   place // of counted

	more       bool // what begins near pos needs more text
	begin, end int  // of what was found, in the text
	found      Find
}

// newScanner returns a scanner of a whole text.
func newScanner[T source](f *Finder, text T, s *search[T]) *scanner[T] {
	return &scanner[T]{Finder: f.withDefaults(), anchors: newAnchors(f, s), text: text, first: true, final: true}
}

// context is how much text before an anchor the scanner looks at, in bytes.
const context = 2*maxName + maxGap + maxLine

// maxGap is how much white space is allowed between the "<" and the scheme.
const maxGap = 80

// maxName is the length of the longest scheme that is recognized, and of the part of a mail address
// before the "@" (RFC 5321 4.5.3.1.1).
const maxName = 64

// next finds the next URL. It returns false at the end of the text, or with more set.
func (s *scanner[T]) next() bool {
	for s.more = false; ; s.pos++ {
		var a anchor
		if a, s.pos = s.anchors.find(s.text, s.pos); s.pos >= len(s.text) {
			return false
		}
		if s.decide(a, s.pos) {
			s.count(s.begin)
			s.pos, s.floor = s.end, s.end
			s.found.Offset, s.found.Length = s.place.offset, int64(s.end-s.begin)
			if !s.NoLines {
				s.found.Line, s.found.Column = s.place.line+1, int(s.place.offset-s.place.begin)+1
			}
			return true
		}
		if s.more {
			return false
		}
	}
}

// set records a URL with its fragment, whose form has these bounds. hash is the offset of its first
// "#", or -1.
func (s *scanner[T]) set(begin, end int, form Form, url string, hash int) {
	s.begin, s.end = begin, end
	s.found = Find{URL: url, Form: form}
	if hash >= 0 {
		s.found.URL, s.found.Fragment = url[:hash], locator.Some(url[hash+1:])
	}
}

// place is a place in a source.
type place struct {
	offset int64
	line   int   // from 0
	begin  int64 // offset of the line
}

// count moves the place to offset i.
func (s *scanner[T]) count(i int) {
	part := s.text[s.counted:i]
	if !s.NoLines {
		if n := s.anchors.count(part, s.newline); n > 0 {
			s.place.line += n
			s.place.begin = s.place.offset + int64(s.lastIndexByte(part, '\n')) + 1
		}
	}
	s.place.offset += int64(len(part))
	s.counted = i
}

// string returns a part of the text as a string.
func (s *scanner[T]) string(begin, end int) string {
	switch t := any(s.text).(type) {
	case string:
		return t[begin:end]
	case []byte:
		return s.pool.text(t[begin:end])
	}
	panic("unreachable")
}

// decide reports whether there is a URL around the anchor at i.
func (s *scanner[T]) decide(a anchor, i int) bool {
	switch a {
	case colon:
		return s.colon(i)
	case at:
		return s.address(i)
	}
	return s.web(i)
}

// colon decides whether the name before the colon at i begins a URL.
func (s *scanner[T]) colon(i int) bool {
	begin, kind := s.name(i)
	if begin == i || !is(s.text[begin], alphaClass) {
		return false
	}
	open := s.open(begin)
	switch {
	case kind == urlPrefix:
		return open >= 0 && s.wrapped(open, i+1) || !s.more && s.prefixed(begin, i+1)
	case kind == unknown && (open < 0 || !s.slashes(i+1)):
		return false
	case open >= 0 && s.angled(open, begin, i, kind):
		return true
	}
	return !s.more && kind != unknown && s.starts(begin) && s.bare(begin, begin, i, kind, Bare)
}

// need reports whether the byte at i is in the text. If it may come later, it sets more.
func (s *scanner[T]) need(i int) bool {
	if i < len(s.text) {
		return true
	}
	s.more = s.more || !s.final
	return false
}

// slashes reports whether there is "//" at i.
func (s *scanner[T]) slashes(i int) bool {
	return s.need(i) && s.text[i] == '/' && s.need(i+1) && s.text[i+1] == '/'
}

// name returns where the name of a scheme that ends at i begins, and its kind. It is the longest
// name, if that is in the table, or else the letters and digits alone.
func (s *scanner[T]) name(i int) (begin int, k kind) {
	least := max(s.floor, i-maxName)
	if least <= i-maxKey {
		if n, key := keyAtEnd(s.text[i-maxKey : i]); n < maxKey {
			if k = table.kind(key); k != unknown {
				return i - n, k
			}
		}
	}
	begin = i
	for begin > least && is(s.text[begin-1], nameClass) {
		begin--
	}
	if k = lookup(s.text[begin:i]); k != unknown {
		return begin, k
	}
	short := i
	for short > begin && is(s.text[short-1], alnumClass) {
		short--
	}
	if n := s.escape(short, i); n > 0 {
		return short + n, lookup(s.text[short+n : i])
	}
	if short > begin {
		k = lookup(s.text[short:i])
		if k == slashed || k == urlPrefix || !is(s.text[begin], alnumClass) { // "x-news" is another scheme
			return short, k
		}
	}
	return begin, unknown
}

// escape returns how many of the letters and digits from begin to end belong to an escape before
// the name of a scheme: that of a line break or tab in the source of programs, that of a font or
// character in troff, or that of a color on a terminal.
func (s *scanner[T]) escape(begin, end int) int {
	if begin <= s.floor {
		return 0
	}
	n := 0
	switch c := s.text[begin-1]; {
	case c == '\\' && begin+2 < end && s.text[begin] == 'f' && is(s.text[begin+1], alnumClass): // \fI
		n = 2
	case c == '\\' && begin+1 < end && (s.text[begin] == 'n' || s.text[begin] == 'r' || s.text[begin] == 't'):
		n = 1
	case c == '(' && begin-1 > s.floor && s.text[begin-2] == '\\': // \(lq
		n = 2
	case c == '[' && begin-1 > s.floor && s.text[begin-2] == '\x1B', c == ';': // ESC [ 1 ; 31 m
		for begin+n < end && '0' <= s.text[begin+n] && s.text[begin+n] <= '9' {
			n++
		}
		if n++; begin+n > end || s.text[begin+n-1] != 'm' {
			n = 0
		}
	}
	if begin+n >= end {
		return 0
	}
	return n
}

// open returns the offset of the "<" before the scheme at begin, or -1.
func (s *scanner[T]) open(begin int) int {
	i := begin
	for i > s.floor && begin-i < maxGap && is(s.text[i-1], spaceClass) {
		i--
	}
	if i > s.floor && s.text[i-1] == '<' {
		return i - 1
	}
	return -1
}

// starts reports whether a URL without brackets may begin at i: not in the middle of a word.
func (s *scanner[T]) starts(i int) bool {
	if i == s.floor {
		return true
	}
	switch c := s.text[i-1]; {
	case is(c, alnumClass):
		begin := i
		for begin > max(s.floor, i-maxName) && is(s.text[begin-1], alnumClass) {
			begin--
		}
		return s.escape(begin, i+1) == i-begin
	case c == '+':
		return i-1 == s.floor || !is(s.text[i-2], alnumClass) // "git+http" is another scheme
	}
	return true
}
