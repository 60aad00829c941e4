package nntp

import (
	"slices"
	"strconv"
	"strings"

	"locator/internal/mailtext"
	"locator/scheme"
)

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

// parseOverview parses a line of OVER (RFC 3977 8.3.2): number, subject, from, date, message-id,
// references, bytes, lines, and further fields with their names. ok is false if one of the first
// five is missing, or if they come in another order, which a message-id in the place of another
// field shows. Servers may leave out the others.
//
// QUIRK: INN 2.7.1 counts the dots that are added to lines on the wire as bytes of the article,
// though RFC 3977 8.1.1 excludes them. So the size of such an article is a little less than
// announced.
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
	detach(&e)
	var err error
	if e.URL, err = p.articleURL(r.number, a.ID); err != nil { // a message-id that no URL can have
		e.Kind, e.Unread = scheme.KindNote, true
	}
	return e
}

// detach copies the strings of an entry. They are parts of a line, all of which a caller that keeps
// the entry would keep.
func detach(e *scheme.Entry) {
	a := &e.Attr
	for _, s := range []*string{&e.Name, &a.From, &a.ID, &a.Abstract} {
		*s = strings.Clone(*s)
	}
	for i := range a.References {
		a.References[i] = strings.Clone(a.References[i])
	}
	for i := range a.More {
		a.More[i].Name, a.More[i].Value = strings.Clone(a.More[i].Name), strings.Clone(a.More[i].Value)
	}
}

// namedField is a field of a row that every overview has (RFC 3977 8.4).
type namedField struct {
	name  string
	value *string
}

func (r *row) fields() []namedField {
	return []namedField{{"Subject", &r.subject}, {"From", &r.from}, {"Date", &r.date}, {"Message-ID", &r.id}, {"References", &r.references}}
}

// rowOf returns the row of an article with that header.
func rowOf(number int64, header string) row {
	r := row{number: number, held: len(header)}
	for name, value := range mailtext.Fields(header) {
		if strings.EqualFold(name, "Lines") {
			r.lines = knownCount(value)
			continue
		}
		for _, f := range r.fields() {
			if strings.EqualFold(name, f.name) {
				*f.value = value
			}
		}
	}
	return r
}
