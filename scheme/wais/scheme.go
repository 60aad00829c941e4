package wais

import (
	"context"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/wire"
)

// Scheme accesses wais URLs. It holds no state: idle connections are in the pool of the client
// (Env.Keep).
type Scheme struct{}

// New returns the scheme wais.
func New() Scheme { return Scheme{} }

var (
	_ scheme.Scheme     = Scheme{}
	_ scheme.Lister     = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Submitter  = Scheme{}
	_ scheme.Explainer  = Scheme{}
	_ scheme.FileNamer  = Scheme{}
)

// Syntax returns the syntax of RFC 1738 3.9.
func (Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf((*locator.WAIS)(nil).Scheme()) }

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"like"}
}

// Access reads a document, lists what a search finds, or returns the description of a database. A
// database without a description is a Query.
func (Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	w := options{accept: o.Accept, info: o.ServerInfo, raw: o.Raw != 0}
	switch words := o.Query.Or(p.words); {
	case p.kind != locator.WAISDocument && words != "":
		return p.search(ctx, env, Query{Words: words}, w)
	case p.kind == locator.WAISDatabase:
		return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) { return s.description() })
	}
	return withSession(ctx, env, p, func(s *session) (*scheme.Resource, error) {
		about, err := s.about(w)
		if err != nil {
			return nil, err
		}
		d, err := s.open(p.typ, p.id, p.size, o.Range)
		if err != nil {
			return nil, err
		}
		res := d.resource()
		res.Attr.More = about
		return res, nil
	})
}

// Submit sends the words of a search.
func (Scheme) Submit(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	p, err := newPlace(r.URL)
	if err != nil {
		return nil, err
	}
	words, err := queryWords(o.Answers)
	if err != nil {
		return nil, err
	}
	res, err := p.search(ctx, env, Query{Words: words}, options{accept: o.Accept, raw: o.Raw != 0})
	if err == nil {
		if u, err := p.searchURL(words); err == nil {
			res.URL = u
		}
	}
	return res, err
}

// Fill returns the URL of a search with its words.
func (Scheme) Fill(r scheme.Request, _ *form.Form, answers []form.Answer) (locator.URL, bool) {
	p, err := newPlace(r.URL)
	if err != nil || p.kind == locator.WAISDocument {
		return locator.URL{}, false
	}
	words, err := queryWords(answers)
	if err != nil {
		return locator.URL{}, false
	}
	u, err := p.searchURL(words)
	return u, err == nil
}

// queryWords returns the answer to the one field of a search.
func queryWords(answers []form.Answer) (string, error) {
	if len(answers) != 1 || answers[0].Name != "" && !form.SameName(queryField, answers[0].Name) {
		return "", scheme.Fail(scheme.CodeUsage, "a search has one field, %q", queryField)
	}
	if answers[0].Value == "" {
		return "", scheme.Fail(scheme.CodeUsage, "a search needs words")
	}
	return answers[0].Value, nil
}

// FileName returns the name of the file in the document-id, or the database.
func (Scheme) FileName(u locator.URL, _ bool) string {
	p, err := newPlace(u)
	if err != nil {
		return ""
	}
	return p.fileName()
}

// Steps returns the requests for access to a URL, escaped: "CONNECT host.dom:210", then the search,
// or the request for the first piece of the document. The requests for the other pieces, and that
// for the description of a database, depend on the responses.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	p, err := newPlace(u)
	if err != nil {
		return nil, err
	}
	var m clientMessage
	switch p.kind {
	case locator.WAISDocument:
		d := &document{s: &session{place: p}, typ: p.typ, id: p.id, size: -1, stop: -1, piece: pieceSize}
		if p.size > 0 {
			d.size = p.size
		}
		m, _ = d.retrieval()
	case locator.WAISSearch:
		w, err := p.newSearch(Query{Words: p.words}, scheme.Limits{})
		if err != nil {
			return nil, err
		}
		m = p.searchFor(w)
	default:
		m = p.searchFor(sourceSearch())
	}
	return []string{"CONNECT " + wire.Escape(p.addr), wire.Escape(m.String())}, nil
}
