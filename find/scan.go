package find

// scanner decides what stands around an anchor in a text.
type scanner struct {
	Finder
	text  string
	first bool // the source begins where the text begins
	final bool // the source ends where the text ends
	floor int  // end of the last URL; the next one begins after it

	// The last decision.
	match  match
	more   bool // it needs more text
	before bool // it needs context bytes before the anchor
}

// match is what the scanner found.
type match struct {
	begin, end   int // in the text
	form         Form
	url          string // with its fragment
	alternatives []string
	tooLong      bool
}

// The scanner looks at no more than these numbers of bytes before an anchor: near for anything but the beginning of the line in which
// a wrapper begins.
const (
	near    = 2*maxName + maxGap
	context = near + maxLine
)

// maxGap is how much white space may stand between the "<" and the scheme.
const maxGap = 80

// maxName is the length of the longest scheme that is recognized, and of the part of a mail address before the "@" (RFC 5321 4.5.3.1.1).
const maxName = 64

// decide reports whether a URL stands around the anchor at i.
func (s *scanner) decide(a anchor, i int) bool {
	s.more, s.before = false, false
	switch a {
	case colon:
		return s.colon(i)
	case at:
		return s.address(i)
	}
	return s.web(i)
}

// colon decides whether the name before the colon at i begins a URL.
func (s *scanner) colon(i int) bool {
	begin, kind := s.name(i)
	if begin == i || !is(s.text[begin], alphaClass) {
		return false
	}
	open := s.open(begin)
	switch {
	case kind == urlPrefix:
		return open >= 0 && s.wrapped(open, i+1) || !s.undecided() && s.prefixed(begin, i+1)
	case kind == unknown && (open < 0 || !s.slashes(i+1)):
		return false
	case open >= 0 && s.angled(open, begin, i, kind):
		return true
	}
	return !s.undecided() && kind != unknown && s.starts(begin) && s.bare(begin, begin, i, kind, Bare)
}

func (s *scanner) undecided() bool { return s.more || s.before }

// need reports whether the byte at i is in the text. If it may come later, it sets more.
func (s *scanner) need(i int) bool {
	if i < len(s.text) {
		return true
	}
	s.more = s.more || !s.final
	return false
}

// slashes reports whether "//" stands at i.
func (s *scanner) slashes(i int) bool {
	return s.need(i) && s.text[i] == '/' && s.need(i+1) && s.text[i+1] == '/'
}

// name returns where the name of a scheme that ends at i begins, and its kind. It is the longest name, if that is in the table, or else
// the letters and digits alone.
func (s *scanner) name(i int) (begin int, k kind) {
	short := i
	for short > s.floor && i-short < maxName && is(s.text[short-1], alnumClass) {
		short--
	}
	begin = short
	for begin > s.floor && i-begin < maxName && is(s.text[begin-1], nameClass) {
		begin--
	}
	if k = table.lookup(s.text[begin:i]); k != unknown {
		return begin, k
	}
	if short > s.floor && short < i && s.text[short-1] == '\\' && isLetterEscape(s.text[short]) {
		short++
	}
	k = table.lookup(s.text[short:i])
	if k == slashed || k == urlPrefix || begin == short || !is(s.text[begin], alnumClass) {
		return short, k
	}
	return begin, unknown // "x-news" is another scheme
}

// isLetterEscape reports whether a backslash and c stand for a line break or tab in the source of programs.
func isLetterEscape(c byte) bool { return c == 'n' || c == 'r' || c == 't' }

// open returns the offset of the "<" before the scheme at begin, or -1.
func (s *scanner) open(begin int) int {
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
func (s *scanner) starts(i int) bool {
	if i == s.floor {
		return true
	}
	c := s.text[i-1]
	return !is(c, alnumClass) && c != '+' || i >= 2 && s.text[i-2] == '\\'
}
