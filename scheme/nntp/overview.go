package nntp

import (
	"iter"
	"slices"
	"strings"

	"locator/internal/held"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// overviewMethod is a way to read the overview of a range of articles. A method that the server
// does not have is followed by the next.
type overviewMethod uint8

const (
	byOVER  overviewMethod = iota // RFC 3977 8.3
	byXOVER                       // RFC 2980 2.8
	byHEAD                        // RFC 3977 6.2.2: a command for each article
	noOverview
)

// verb returns the command.
func (m overviewMethod) verb() string {
	return [...]string{"OVER", "XOVER", "HEAD", ""}[m]
}

// overview yields the rows of ranges of articles, by the best method that the server has. The
// sequence ends after an error.
func (s *session) overview(spans []span, b *block) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if len(spans) == 0 {
			return
		}
		for ; s.over < noOverview; s.over++ {
			if s.caps != nil && s.over == byOVER && !s.caps.has("OVER") {
				continue
			}
			known := true
			switch s.over {
			case byOVER, byXOVER:
				known = s.overLines(spans, b, yield)
			case byHEAD:
				s.overEach(spans, b, yield)
			}
			if known {
				return
			}
			s.env.Trace.OnNote("the server has no " + s.over.verb())
		}
		yield(row{}, scheme.Fail(scheme.CodeUnsupported, "the server cannot list the articles of a group"))
	}
}

// overLines sends OVER or XOVER for each range, maxSpans in one write. It returns false if the
// server does not have the command.
func (s *session) overLines(spans []span, b *block, yield func(row, error) bool) bool {
	verb := s.over.verb()
	for part := range slices.Chunk(spans, maxSpans) {
		var lines []wire.Line
		for _, sp := range part {
			lines = append(lines, dialogue.Bare(verb+" "+sp.String()))
		}
		if err := s.Send(verb, lines...); err != nil {
			yield(row{}, err)
			return true
		}
		unknown := 0
		var refusal error
		for range part {
			r, err := s.reply(verb)
			switch {
			case err != nil:
				yield(row{}, err)
				return true
			case r.unknown():
				unknown++
				continue
			case r.Code == 423 || r.Code == 420: // the range is empty
				continue
			case r.Code != 224:
				if refusal = authenticate(verb, r); refusal == nil {
					yield(row{}, s.End(r.fail(verb)))
					return true
				}
				continue
			}
			for line, err := range b.lines(verb) {
				if err != nil {
					yield(row{}, err)
					return true
				}
				if o, _ := parseOverview(line); !yield(o, nil) {
					s.Unusable.Store(true)
					return true
				}
			}
		}
		switch {
		case refusal != nil:
			yield(row{}, refusal)
			return true
		case unknown == len(part):
			return false
		}
	}
	return true
}

// overEach sends HEAD for each article of each range.
func (s *session) overEach(spans []span, b *block, yield func(row, error) bool) {
	stopped := false
	for _, sp := range spans {
		s.overHeads(sp, b, func(r row, err error) bool {
			stopped = !yield(r, err) || err != nil
			return !stopped
		})
		if stopped {
			return
		}
	}
}

// String returns the range as an argument.
func (sp span) String() string {
	if sp.last == maxNumber {
		return digits(sp.first) + "-"
	}
	return digits(sp.first) + "-" + digits(sp.last)
}

// each yields the parts of a range, of at most n articles.
func (sp span) each(n int64) iter.Seq[span] {
	return func(yield func(span) bool) {
		for first := sp.first; first <= sp.last; first += n {
			if !yield(span{first, min(first+n-1, sp.last)}) {
				return
			}
		}
	}
}

// headsAtOnce is how many HEADs are sent in one write. It bounds what the server's send buffer must
// hold.
const headsAtOnce = 32

// overHeads sends HEAD for each article.
func (s *session) overHeads(sp span, b *block, yield func(row, error) bool) {
	for part := range sp.each(headsAtOnce) {
		var lines []wire.Line
		for n := part.first; n <= part.last; n++ {
			lines = append(lines, dialogue.Bare("HEAD "+digits(n)))
		}
		if err := s.Send("HEAD", lines...); err != nil {
			yield(row{}, err)
			return
		}
		var rows []row
		var refusal error
		kept := held.Budget(heldBudget)
		for n := part.first; n <= part.last; n++ {
			r, err := s.reply("HEAD")
			switch {
			case err != nil:
				yield(row{}, err)
				return
			case r.Code == 423 || r.Code == 430 || r.Code == 420: // cancelled or expired
				continue
			case r.Code != 221:
				if refusal = authenticate("HEAD", r); refusal == nil {
					refusal = s.End(r.fail("HEAD"))
				}
				continue
			}
			var header strings.Builder
			for line, err := range b.lines("HEAD") {
				if err != nil {
					yield(row{}, err)
					return
				}
				if !kept.Take(rowCost + len(line)) {
					yield(row{}, s.tooMuch())
					return
				}
				header.WriteString(line + "\r\n")
			}
			rows = append(rows, rowOf(n, header.String()))
		}
		if err := b.found(len(rows)); err != nil && refusal == nil {
			refusal = err
		}
		for _, o := range rows {
			if !yield(o, nil) {
				return
			}
		}
		if refusal != nil {
			yield(row{}, refusal)
			return
		}
	}
}
