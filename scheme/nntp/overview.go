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

// overviewMethod is a way to read the overview of a range of articles. A method that the server does not have is followed by the
// next.
type overviewMethod uint8

const (
	byOVER  overviewMethod = iota // RFC 3977 8.3
	byXOVER                       // RFC 2980 2.8
	byHDR                         // RFC 3977 8.5: a command for each field
	byXHDR                        // RFC 2980 2.6
	byHEAD                        // RFC 3977 6.2.2: a command for each article
	noOverview
)

// verb returns the command.
func (m overviewMethod) verb() string {
	return [...]string{"OVER", "XOVER", "HDR", "XHDR", "HEAD", ""}[m]
}

// overview yields the rows of ranges of articles, by the best method that the server has. The sequence ends after an error.
func (s *session) overview(spans []span, b *block) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if len(spans) == 0 {
			return
		}
		for ; s.over < noOverview; s.over++ {
			if s.caps != nil && (s.over == byOVER && !s.caps.has("OVER") || s.over == byHDR && !s.caps.has("HDR")) {
				continue
			}
			known := true
			switch s.over {
			case byOVER, byXOVER:
				known = s.overLines(spans, b, yield)
			case byHDR, byXHDR:
				known = s.overEach(spans, b, yield, s.overFields)
			case byHEAD:
				known = s.overEach(spans, b, yield, s.overHeads)
			}
			if known {
				return
			}
			s.env.Trace.OnNote("the server has no " + s.over.verb())
		}
		yield(row{}, scheme.Fail(scheme.CodeUnsupported, "the server cannot list the articles of a group"))
	}
}

// overLines sends OVER or XOVER for each range, maxSpans in one write. It returns false if the server does not have the command.
func (s *session) overLines(spans []span, b *block, yield func(row, error) bool) bool {
	verb := s.over.verb()
	for part := range slices.Chunk(spans, maxSpans) {
		var lines []wire.Line
		for _, sp := range part {
			lines = append(lines, dialogue.Bare(verb+" "+sp.String()))
		}
		if err := s.send(verb, lines...); err != nil {
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
			case r.code == 423 || r.code == 420: // the range is empty
				continue
			case r.code != 224:
				if refusal = authenticate(verb, r); refusal == nil {
					yield(row{}, s.end(r.fail(verb)))
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
					s.unusable.Store(true)
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

// overEach calls over for each range. It returns false if the server does not have the command.
func (s *session) overEach(spans []span, b *block, yield func(row, error) bool, over func(span, *block, func(row, error) bool) bool) bool {
	stopped := false
	for _, sp := range spans {
		known := over(sp, b, func(r row, err error) bool {
			stopped = !yield(r, err) || err != nil
			return !stopped
		})
		if !known || stopped {
			return known
		}
	}
	return true
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

// headerFields are the fields that HDR is sent for, with the metadata of RFC 3977 8.1, and where their values go.
var headerFields = []struct {
	name string
	set  func(*row, string)
}{
	{"Subject", func(r *row, v string) { r.subject = v }},
	{"From", func(r *row, v string) { r.from = v }},
	{"Date", func(r *row, v string) { r.date = v }},
	{"Message-ID", func(r *row, v string) { r.id = v }},
	{"References", func(r *row, v string) { r.references = v }},
	{":bytes", func(r *row, v string) { r.bytes = knownCount(v) }},
	{":lines", func(r *row, v string) { r.lines = knownCount(v) }},
}

// fieldsAtOnce is how many articles one HDR asks for.
const fieldsAtOnce = 500

// overFields sends HDR or XHDR for each field. XHDR has no metadata, but the field Lines.
func (s *session) overFields(sp span, b *block, yield func(row, error) bool) bool {
	fields, verb, code := headerFields, s.over.verb(), 225
	if s.over == byXHDR {
		fields, code = headerFields[:5], 221
	}
	for part := range sp.each(fieldsAtOnce) {
		var lines []wire.Line
		for _, f := range fields {
			lines = append(lines, dialogue.Bare(verb+" "+f.name+" "+part.String()))
		}
		if err := s.send(verb, lines...); err != nil {
			yield(row{}, err)
			return true
		}
		rows, order, kept := make(map[int64]*row), []int64(nil), held.Budget(heldBudget)
		var refusal, failed error
		unknown := 0
		for i, f := range fields {
			r, err := s.reply(verb)
			switch {
			case err != nil:
				yield(row{}, err)
				return true
			case r.unknown() || r.code == 502: // also for one field alone
				unknown++
				continue
			case r.code == 423 || r.code == 420 || r.code == 430:
				continue
			case r.code != code && (r.code != 221 || s.over != byHDR): // some servers answer HDR as XHDR
				if failed = authenticate(verb, r); failed == nil {
					failed = s.end(r.fail(verb))
				}
				refusal = failed
				continue
			}
			for line, err := range b.lines(verb) {
				if err != nil {
					yield(row{}, err)
					return true
				}
				number, value, _ := strings.Cut(line, " ")
				n, ok := parseNumber(number)
				if !ok || n < part.first || n > part.last {
					continue
				}
				if i == 0 && rows[n] == nil {
					rows[n] = &row{number: n}
					order = append(order, n)
				}
				if rows[n] == nil {
					continue
				}
				if rows[n].held += len(line); !kept.Take(len(line)) {
					yield(row{}, s.tooMuch())
					return true
				}
				if value = strings.TrimSpace(value); value != "(none)" {
					f.set(rows[n], value)
				}
			}
		}
		switch {
		case refusal != nil:
			yield(row{}, refusal)
			return true
		case unknown == len(fields) || len(rows) == 0 && unknown > 0:
			return false
		}
		if err := b.found(len(order)); err != nil {
			yield(row{}, err)
			return true
		}
		for _, n := range order {
			if !yield(*rows[n], nil) {
				return true
			}
		}
	}
	return true
}

// headsAtOnce is how many HEADs are sent in one write. It bounds what the server's send buffer must hold.
const headsAtOnce = 32

// overHeads sends HEAD for each article.
func (s *session) overHeads(sp span, b *block, yield func(row, error) bool) bool {
	for part := range sp.each(headsAtOnce) {
		var lines []wire.Line
		for n := part.first; n <= part.last; n++ {
			lines = append(lines, dialogue.Bare("HEAD "+digits(n)))
		}
		if err := s.send("HEAD", lines...); err != nil {
			yield(row{}, err)
			return true
		}
		var rows []row
		var refusal error
		kept := held.Budget(heldBudget)
		for n := part.first; n <= part.last; n++ {
			r, err := s.reply("HEAD")
			switch {
			case err != nil:
				yield(row{}, err)
				return true
			case r.code == 423 || r.code == 430 || r.code == 420: // cancelled or expired
				continue
			case r.code != 221:
				if refusal = authenticate("HEAD", r); refusal == nil {
					refusal = s.end(r.fail("HEAD"))
				}
				continue
			}
			var header strings.Builder
			for line, err := range b.lines("HEAD") {
				if err != nil {
					yield(row{}, err)
					return true
				}
				if !kept.Take(rowCost + len(line)) {
					yield(row{}, s.tooMuch())
					return true
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
				return true
			}
		}
		if refusal != nil {
			yield(row{}, refusal)
			return true
		}
	}
	return true
}
