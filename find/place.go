package find

import (
	"strings"

	"locator"
)

// place is a place in a source.
type place struct {
	offset int64
	line   int   // from 0
	begin  int64 // offset of the line
}

// newLines moves the place into another line: n line feeds follow, the last one at a distance.
func (p *place) newLines(n, last int) {
	p.line += n
	p.begin = p.offset + int64(last) + 1
}

// find returns the URL of a match that begins at the place.
func (p *place) find(m *match) Find {
	u := Find{
		URL: m.url, Form: m.form, Offset: p.offset, Length: int64(m.end - m.begin),
		Line: p.line + 1, Column: int(p.offset-p.begin) + 1, Alternatives: m.alternatives, TooLong: m.tooLong,
	}
	if url, fragment, ok := strings.Cut(m.url, "#"); ok {
		u.URL, u.Fragment = url, locator.Some(fragment)
	}
	return u
}
