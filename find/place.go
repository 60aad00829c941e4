package find

import (
	"strings"

	"locator"
)

// place counts lines up to the finds.
type place struct {
	base    int64 // offset of the scanner's text in the source
	counted int   // offset in the text up to which lines are counted
	line    int   // lines that ended before counted
	begin   int64 // offset of the current line in the source
}

// advance counts the lines up to offset i of text.
func (p *place) advance(text string, i int) {
	part := text[p.counted:i]
	if n := strings.Count(part, "\n"); n > 0 {
		p.line += n
		p.begin = p.base + int64(p.counted+strings.LastIndexByte(part, '\n')+1)
	}
	p.counted = i
}

// find returns what the scanner has found.
func (p *place) find(s *scanner) Find {
	m := &s.match
	p.advance(s.text, m.begin)
	u := Find{
		Form: m.form, Offset: p.base + int64(m.begin), Length: int64(m.end - m.begin),
		Line: p.line + 1, Column: int(p.base+int64(m.begin)-p.begin) + 1,
		Alternatives: m.alternatives, TooLong: m.tooLong,
	}
	url, fragment, ok := strings.Cut(m.url, "#")
	if u.URL = url; ok {
		u.Fragment = locator.Some(fragment)
	}
	return u
}
