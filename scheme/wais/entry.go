package wais

import (
	"strings"
	"time"

	"locator"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/internal/outlink"
)

// entry returns the entry of a document. A document in several formats has the others as
// alternates.
func (s *session) entry(h *z3950.DocumentHeader, chars charset, o options) scheme.Entry {
	e := scheme.Entry{Name: chars.text(h.Headline), Kind: scheme.KindNote}
	a := &e.Attr
	a.Size, a.Score, a.Lines = count(h.Length), count(h.Score), count(h.Lines)
	if a.Size == scheme.Known(0) { // which also means that it is not known
		a.Size = scheme.Count{}
	}
	a.Modified, a.Precision = parseDate(h.Date)
	types := h.Types
	if len(types) == 0 {
		types = []string{typeText}
	}
	for _, x := range []scheme.Attribute{{Name: "types", Value: strings.Join(types, ",")}, {Name: "source", Value: h.Source}, {Name: "city", Value: h.City}} {
		if x.Value = chars.text(x.Value); x.Value != "" {
			a.More = append(a.More, x)
		}
	}
	if len(types) == 1 && strings.EqualFold(types[0], typeURL) {
		e.URL = outlink.Parse(h.Headline)
		if !e.URL.IsZero() {
			e.Kind, a.Size, a.Lines = outlink.Kind(e.URL), scheme.Count{}, scheme.Count{}
		}
		return e
	}
	best := preferred(types, o.accept)
	if best > 0 {
		a.Size, a.Lines = scheme.Count{}, scheme.Count{}
	}
	for i, t := range types {
		u, err := s.place.documentURL(t, h.ID)
		if err != nil || h.ID == "" {
			e.Unread = true
			continue
		}
		var plain locator.URL
		if size, _ := h.Length.Count(); i == 0 { // the length is that of the first format
			plain = s.place.plainURL(t, h.ID, size)
		}
		if i == best {
			e.URL, e.Plain, e.Kind, a.Type = u, plain, scheme.KindObject, media(t)
			continue
		}
		e.Alternates = append(e.Alternates, scheme.Entry{Name: chars.text(t), URL: u, Plain: plain, Kind: scheme.KindObject, Attr: scheme.Attr{Type: media(t)}})
	}
	return e
}

func count(n z3950.Number) scheme.Count {
	if c, ok := n.Count(); ok {
		return scheme.Known(c)
	}
	return scheme.Count{}
}

// parseDate parses yymmdd or yyyymmdd. Any other date is not known.
func parseDate(s string) (time.Time, time.Duration) {
	for _, form := range []string{"20060102", "060102"} {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
			return t, 24 * time.Hour
		}
	}
	return time.Time{}, 0
}

// sourceEntry returns the entry of a database that a source names.
func (p *place) sourceEntry(src Source) scheme.Entry {
	e := scheme.Entry{Name: src.Database, Kind: scheme.KindNote, Attr: src.attr()}
	u, err := src.URL(p.host)
	if err == nil {
		e.URL, e.Kind = u, scheme.KindUnknown // a description, or a query if it has none
	}
	return e
}
