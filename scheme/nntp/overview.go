package nntp

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"locator/internal/mailtext"
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

// row is the overview of an article: the fields as the server sends them.
type row struct {
	number        int64
	subject, from string
	date, id      string
	references    string
	bytes, lines  scheme.Count
	more          []scheme.Attribute
	unread        bool // subject is a line that could not be read
	held          int  // bytes of the lines that the texts are part of
}

// cost estimates how much memory a row needs, in bytes.
func (r *row) cost() int { return rowCost + r.held + moreCost*len(r.more) }

// parseOverview parses a line of OVER (RFC 3977 8.3.2): number, subject, from, date, message-id, references, bytes, lines, and
// further fields with their names. ok is false if one of the first five is missing, or if they come in another order, which a message-id
// in the place of another field shows. Servers may leave out the others.
//
// QUIRK: INN 2.7.1 counts the dots that are added to lines on the wire as bytes of the article, though RFC 3977 8.1.1 excludes them. So the
// size of such an article is a little less than announced.
func parseOverview(line string) (r row, ok bool) {
	f := strings.Split(line, "\t")
	if r.number, ok = parseNumber(f[0]); !ok || len(f) < 5 || !isID(f[4]) && slices.ContainsFunc(f[1:], isID) {
		return row{unread: true, subject: line, held: len(line)}, false
	}
	field := func(i int) string {
		if i < len(f) {
			return f[i]
		}
		return ""
	}
	r.held = len(line)
	r.subject, r.from, r.date, r.id, r.references = f[1], f[2], f[3], strings.TrimSpace(f[4]), field(5)
	r.bytes, r.lines = knownCount(field(6)), knownCount(field(7))
	for _, more := range f[min(8, len(f)):] {
		name, value, named := strings.Cut(more, ":")
		if named && name != "" {
			r.more = append(r.more, scheme.Attribute{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return r, true
}

// isID reports whether a field is one message-id.
func isID(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") && strings.Count(s, "@") == 1 && !strings.ContainsAny(s, " \t")
}

func knownCount(s string) scheme.Count {
	if n, ok := parseNumber(strings.TrimSpace(s)); ok {
		return scheme.Known(n)
	}
	return scheme.Count{}
}

// digits returns a number in decimal.
func digits(n int64) string { return strconv.FormatInt(n, 10) }

// entry returns the entry of an article.
func (r *row) entry(p *place, charset string) scheme.Entry {
	if r.unread {
		return scheme.Entry{Name: r.subject, Kind: scheme.KindNote, Unread: true}
	}
	e := scheme.Entry{Name: mailtext.Header(r.subject, charset), Kind: scheme.KindObject}
	if strings.TrimSpace(e.Name) == "" {
		e.Name = "(no subject)"
	}
	a := &e.Attr
	a.Type, a.Size, a.Lines = "message/rfc822", r.bytes, r.lines
	a.From, a.ID, a.References = mailtext.Header(r.from, charset), bareID(r.id), references(r.references)
	a.Modified, a.Precision = mailtext.Date(r.date)
	a.More = append([]scheme.Attribute{{Name: "Number", Value: digits(r.number)}}, r.more...)
	var err error
	if e.URL, err = p.articleURL(r.number, a.ID); err != nil { // a message-id that no URL can have
		e.Kind, e.Unread = scheme.KindNote, true
	}
	return e
}

// overview yields the rows of a range of articles, by the best method that the server has. The sequence ends after an error.
func (s *session) overview(sp span, b *block) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for ; s.over < noOverview; s.over++ {
			if s.caps != nil && (s.over == byOVER && !s.caps.has("OVER") || s.over == byHDR && !s.caps.has("HDR")) {
				continue
			}
			known := true
			switch s.over {
			case byOVER, byXOVER:
				known = s.overLines(sp, b, yield)
			case byHDR, byXHDR:
				known = s.overFields(sp, b, yield)
			case byHEAD:
				known = s.overHeads(sp, b, yield)
			}
			if known {
				return
			}
			s.env.Trace.OnNote("the server has no " + s.over.verb())
		}
		yield(row{}, scheme.Fail(scheme.CodeUnsupported, "the server cannot list the articles of a group"))
	}
}

// overLines sends OVER or XOVER. It returns false if the server does not have the command.
func (s *session) overLines(sp span, b *block, yield func(row, error) bool) bool {
	r, err := s.command(s.over.verb(), dialogue.Bare(s.over.verb()+" "+sp.String()))
	switch {
	case err != nil:
		yield(row{}, err)
	case r.unknown():
		return false
	case r.code == 423 || r.code == 420: // the range is empty
	case r.code != 224:
		yield(row{}, s.end(r.fail(s.over.verb())))
	default:
		for line, err := range b.lines(s.over.verb()) {
			if err != nil {
				yield(row{}, err)
				return true
			}
			if o, _ := parseOverview(line); !yield(o, nil) {
				return true
			}
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
		rows, order, held := make(map[int64]*row), []int64(nil), budget(heldBudget)
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
				if rows[n].held += len(line); !held.take(len(line)) {
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
		held := budget(heldBudget)
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
				if !held.take(rowCost + len(line)) {
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

// rowOf returns the row of an article with that header.
func rowOf(number int64, header string) row {
	r := row{number: number, held: len(header)}
	for name, value := range mailtext.Fields(header) {
		if strings.EqualFold(name, "Lines") {
			r.lines = knownCount(value)
			continue
		}
		for _, f := range headerFields {
			if strings.EqualFold(name, f.name) {
				f.set(&r, value)
			}
		}
	}
	return r
}
