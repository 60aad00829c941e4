package wais

import (
	"context"
	"errors"
	"io"
	"strings"

	"locator"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/form"
)

// sourceSearch is the search that asks a server to describe a database: one without words.
func sourceSearch() search { return search{max: 10} }

// description returns the description of the database, a document of type WSRC, or the query that
// it needs if it has none.
func (s *session) description() (*scheme.Resource, error) {
	h, next, err := s.find(sourceSearch(), s)
	if e, ok := errors.AsType[*scheme.Error](err); ok && e.Code == scheme.CodeUsage { // the server does not accept a search without words
		s.release()
		return query(), nil
	}
	for n := 0; err == nil && next != nil && n < maxShown; n++ {
		if len(next.Types) == 1 && strings.EqualFold(next.Types[0], typeSource) {
			return s.source(h, next)
		}
		next, err = h.nextHeader()
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if h.ended == io.EOF {
		s.release()
	}
	s.stop()
	return query(), nil
}

// source returns the document of a description that was found.
func (s *session) source(h *hits, found *z3950.DocumentHeader) (*scheme.Resource, error) {
	for n := 0; h.ended == nil && n < maxShown; n++ {
		if _, err := h.nextHeader(); err != nil && err != io.EOF {
			return nil, err
		}
	}
	if h.ended != io.EOF {
		s.Unusable.Store(true)
		return nil, scheme.Fail(scheme.CodeProtocol, "the server sent more documents than it was asked for")
	}
	size, _ := found.Length.Count()
	d, err := s.open(typeSource, found.ID, size, scheme.Range{})
	if err != nil {
		return nil, err
	}
	res := d.resource()
	res.Form = query().Form
	return res, nil
}

// resource returns the resource of a document.
func (d *document) resource() *scheme.Resource {
	res := &scheme.Resource{Kind: scheme.KindObject, Body: d, Attr: scheme.Attr{Type: media(d.typ), Ranges: true}}
	if d.size >= 0 {
		res.Attr.Size = scheme.Known(d.size)
	}
	if d.start > 0 || d.stop >= 0 {
		res.Range.Offset = d.start
		if d.stop >= 0 {
			res.Range.Length = d.stop - d.start
		}
	}
	return res
}

// queryField is the name of the one field of a search.
const queryField = "Search"

// query returns the query of a database without a description.
func query() *scheme.Resource {
	return &scheme.Resource{Kind: scheme.KindQuery, Form: &form.Form{Fields: []form.Field{{Name: queryField, Kind: form.Text}}}}
}

// readSource reads a description to its end and parses it. Its errors have the code CodeProtocol or
// that of the transfer.
func (s *session) readSource(body io.ReadCloser) (Source, error) {
	defer body.Close()
	limit := int64(s.env.Limits.Header)
	text, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return Source{}, err
	case int64(len(text)) > limit:
		return Source{}, scheme.Fail(scheme.CodeBroken, "the description of the database has more than %d bytes, the limit", limit)
	}
	src, err := ParseSource(string(text))
	if err != nil {
		return src, scheme.Fail(scheme.CodeProtocol, "the description of the database cannot be parsed: %w", err)
	}
	return src, nil
}

// Attributes returns what the description of a database says, how many documents a search finds, or
// what the URL of a document says; the document must exist.
func (Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		defer s.release()
		about, err := s.about(options{info: o.ServerInfo})
		if err != nil {
			return nil, err
		}
		var res *scheme.Resource
		switch p.kind {
		case locator.WAISDatabase:
			res, err = s.aboutDatabase()
		case locator.WAISSearch:
			res, err = s.aboutSearch()
		default:
			res, err = s.aboutDocument(o.NoProbe)
		}
		if err != nil {
			return nil, err
		}
		res.Attr.More = append(res.Attr.More, about...)
		return res, nil
	})
}

func (s *session) aboutDatabase() (*scheme.Resource, error) {
	res, err := s.description()
	if err != nil || res.Kind != scheme.KindObject {
		return res, err
	}
	size := res.Attr
	src, err := s.readSource(res.Body)
	if err != nil {
		return nil, err
	}
	res.Body, res.Attr = nil, src.attr()
	res.Attr.Type, res.Attr.Size, res.Attr.Ranges = size.Type, size.Size, size.Ranges
	return res, nil
}

// aboutSearch counts the documents.
func (s *session) aboutSearch() (*scheme.Resource, error) {
	w, err := s.place.newSearch(Query{Words: s.place.words}, s.env.Limits)
	if err != nil {
		return nil, err
	}
	h, _, err := s.find(w, s)
	if err != nil {
		return nil, err
	}
	for h.ended == nil {
		if _, err := h.nextHeader(); err != nil && err != io.EOF {
			return nil, err
		}
	}
	if h.found > 0 {
		h.tellOfMore(w)
	}
	res := &scheme.Resource{Kind: scheme.KindListing}
	res.Attr.More = []scheme.Attribute{{Name: "Documents", Value: scheme.Known(int64(h.found)).String()}}
	return res, nil
}

// aboutDocument asks for one byte, since the protocol has no other way to learn whether a document
// exists.
func (s *session) aboutDocument(noProbe bool) (*scheme.Resource, error) {
	p := s.place
	if !noProbe {
		d, err := s.open(p.typ, p.id, p.size, scheme.Range{Length: 1})
		if err != nil {
			return nil, err
		}
		d.text = nil
	}
	res := &scheme.Resource{Kind: scheme.KindObject, Attr: scheme.Attr{Type: media(p.typ), Ranges: true}}
	if p.size > 0 {
		res.Attr.Size = scheme.Known(p.size)
	}
	var c charset
	add := func(name, value string) {
		res.Attr.More = append(res.Attr.More, scheme.Attribute{Name: name, Value: c.text(value)})
	}
	add("Format", p.typ)
	add("Database", p.database)
	if id, ok := z3950.ParseDocumentID(p.id); ok {
		for _, f := range []struct {
			name string
			tag  z3950.Tag
		}{{"Server", z3950.IDServer}, {"Server's database", z3950.IDDatabase}, {"Document", z3950.IDLocal}} {
			if v, ok := id.Get(f.tag); ok {
				add(f.name, v)
			}
		}
	}
	return res, nil
}
