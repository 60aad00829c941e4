package nntp

import (
	"slices"
	"strings"
	"time"

	"locator/internal/hashset"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// CheckFilter implements scheme.Filterer.
func (Scheme) CheckFilter(f message.Filter) error {
	for _, m := range f.Match {
		if m.Name == "" || strings.ContainsAny(m.Name, ": \t\r\n\x00") || wire.Escape(m.Name) != m.Name {
			return scheme.Fail(scheme.CodeUsage, "%s is not the name of a header field", dialogue.Quoted(m.Name))
		}
	}
	return nil
}

// selection says which articles of a group a filter selects, by their overview.
type selection struct {
	since   time.Time
	ids     *hashset.Set // of the articles that came since then; nil if the server does not say
	match   []message.Pattern
	charset string
}

// has reports whether the filter selects an article. Conditions on fields that no overview has were
// met by narrow.
func (x *selection) has(r *row) bool {
	return x.recent(r) && !slices.ContainsFunc(x.match, func(m message.Pattern) bool {
		value, known := r.field(m.Name)
		return known && !matchesField(m.Text, mailtext.Header(value, x.charset))
	})
}

// recent reports whether an article is recent enough. An article without a date counts as recent.
func (x *selection) recent(r *row) bool {
	switch {
	case x.since.IsZero():
		return true
	case x.ids != nil:
		return x.ids.Has(bareID(r.id))
	}
	date, _ := mailtext.Date(r.date)
	return date.IsZero() || !date.Before(x.since)
}

// field returns a field that every overview has (RFC 3977 8.4), or that the row has besides. known
// is false for others.
func (r *row) field(name string) (value string, known bool) {
	for _, f := range r.fields() {
		if strings.EqualFold(name, f.name) {
			return *f.value, true
		}
	}
	for _, a := range r.more {
		if strings.EqualFold(name, a.Name) {
			return a.Value, true
		}
	}
	return "", false
}

// matchesField reports whether a value contains the text of a FieldPattern, or matches it as a
// wildmat.
func matchesField(text, value string) bool {
	text, value = strings.ToLower(text), strings.ToLower(value)
	if strings.ContainsAny(text, "*?") {
		return matches(text, value)
	}
	return strings.Contains(value, text)
}

// narrow removes numbers from spans whose articles the filter does not select, as far as the server
// can say that without all overviews. The selection is for the rest; it is nil for the zero filter.
func (s *session) narrow(spans *[]span, f message.Filter, charset string) (*selection, error) {
	if f.IsZero() {
		return nil, nil
	}
	x := &selection{since: f.Since, match: f.Match, charset: charset}
	if !f.Since.IsZero() {
		if err := s.narrowByDate(spans, x); err != nil {
			return nil, err
		}
	}
	for _, m := range f.Match {
		if err := s.narrowByField(spans, m, charset); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// newNews asks for the message-ids of the articles that came since then (RFC 3977 7.4). It returns
// nil if the server does not say.
func (s *session) newNews(since time.Time) (*hashset.Set, error) {
	if s.caps != nil && !s.caps.has("NEWNEWS") {
		return nil, nil
	}
	l, err := wire.Command("NEWNEWS", "group", s.place.group+" "+since.UTC().Format(timeForm))
	if err != nil {
		return nil, refused(err)
	}
	r, err := s.ask("NEWNEWS", l) // 480 may say that nobody may use it
	if err != nil || r.Code != 230 {
		return nil, err
	}
	x, b := hashset.New(), s.newBlock(nil)
	for line, err := range b.lines("NEWNEWS") {
		if err != nil {
			return nil, err
		}
		if x.Add(bareID(line)); x.Len() > s.env.Limits.Entries {
			return nil, s.End(scheme.Fail(scheme.CodeBroken, "more than %d articles came since then, the limit; name a later date or a range", s.env.Limits.Entries))
		}
	}
	return x, nil
}

// narrowByDate cuts the spans before the first article that is recent enough. It reads the overview
// backward, part after part, until a part has none: the numbers follow the time of arrival, and the
// dates that authors write follow it nearly.
func (s *session) narrowByDate(spans *[]span, x *selection) error {
	if len(*spans) == 0 {
		return nil
	}
	var err error
	if x.ids, err = s.newNews(x.since); err != nil {
		return err
	}
	if x.ids != nil && x.ids.Len() == 0 {
		*spans = nil
		return nil
	}
	byDate := *x
	byDate.ids = nil
	rest, size, b := slices.Clone(*spans), int64(usualPart), s.newBlock(nil)
	low := int64(maxNumber)
	for len(rest) > 0 {
		part, n, any := take(&rest, size, true), 0, false
		for r, err := range s.overview(part, b) {
			if err != nil {
				return err
			}
			if r.unread || !contains(part, r.number) {
				continue
			}
			n++
			any = any || byDate.recent(&r)
			if x.recent(&r) {
				any, low = true, min(low, r.number)
			}
		}
		if err := b.found(n); err != nil {
			return err
		}
		if n > 0 && !any {
			break
		}
		size = min(2*size, maxPart)
	}
	for i, sp := range *spans {
		if sp.last >= low {
			*spans = (*spans)[i:]
			(*spans)[0].first = max(sp.first, low)
			return nil
		}
	}
	*spans = nil
	return nil
}

// narrowByField leaves the numbers whose articles have a field that matches, by the headers that
// the server returns. A field that every overview has is compared there.
func (s *session) narrowByField(spans *[]span, m message.Pattern, charset string) error {
	if _, inOverview := (&row{}).field(m.Name); inOverview || len(*spans) == 0 {
		return nil
	}
	for _, verb := range []string{"HDR", "XHDR"} {
		if verb == "HDR" && s.caps != nil && !s.caps.has(verb) {
			continue
		}
		found, known, err := s.search(*spans, fieldPattern(m), verb, charset)
		if err != nil {
			return err
		}
		if known {
			*spans = found
			return nil
		}
	}
	return scheme.Fail(scheme.CodeUnsupported, "the server cannot search the field %s: it has no HDR", dialogue.Quoted(m.Name))
}

// search returns the numbers whose articles have a field that matches, as spans. known is false if
// the server does not have the command.
func (s *session) search(spans []span, m fieldPattern, verb, charset string) (found []span, known bool, err error) {
	rest, b := slices.Clone(spans), s.newBlock(nil)
	var list []int64
	for barren := 0; len(rest) > 0; { // parts
		if barren++; barren > maxNoMatch {
			return nil, false, s.End(scheme.Fail(scheme.CodeBroken, "the server announced many articles, and none matches in %d parts of the range one after the other; name a range", maxNoMatch))
		}
		for _, sp := range take(&rest, maxPart, false) {
			begin := len(list)
			l, err := wire.Command(verb, "field", m.Name+" "+sp.String())
			if err != nil {
				return nil, false, refused(err)
			}
			r, err := s.command(verb, l)
			switch {
			case err != nil:
				return nil, false, err
			case r.unknown() || r.Code == 502:
				return nil, false, nil
			case r.Code == 423 || r.Code == 420 || r.Code == 430:
				continue
			case r.Code != 225 && r.Code != 221: // RFC 3977 8.5, RFC 2980 2.6
				return nil, false, s.End(r.fail(verb))
			}
			for line, err := range b.lines(verb) {
				if err != nil {
					return nil, false, err
				}
				n, ok := m.found(line, charset)
				if !ok || n < sp.first || n > sp.last {
					continue
				}
				if list = append(list, n); len(list) > s.env.Limits.Entries {
					return nil, false, s.End(scheme.Fail(scheme.CodeBroken, "more than %d articles match, the limit; name a range", s.env.Limits.Entries))
				}
			}
			slices.Sort(list[begin:])
			if list = list[:begin+len(slices.Compact(list[begin:]))]; len(list) > begin {
				barren = 0
			}
		}
	}
	return spansOf(list), true, nil
}

// fieldPattern is a scheme.FieldPattern.
type fieldPattern message.Pattern

// found returns the number in a line of HDR or XHDR whose value matches. RFC 2980 2.6: "(none)" is
// not a field.
func (m fieldPattern) found(line, charset string) (n int64, ok bool) {
	number, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	if n, ok = parseNumber(number); !ok || value == "" || value == "(none)" {
		return 0, false
	}
	return n, matchesField(m.Text, mailtext.Header(value, charset))
}
