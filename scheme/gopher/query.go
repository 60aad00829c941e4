package gopher

import (
	"context"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// query is a search that waits for its words (RFC 1738 3.4.2).
type query struct {
	s   Scheme
	env *scheme.Env
	r   scheme.Request
	q   request
}

// queryField is the name of its one field.
const queryField = "Search"

func (s Scheme) query(env *scheme.Env, r scheme.Request, q request) *scheme.Resource {
	return &scheme.Resource{Kind: scheme.KindQuery, Form: &query{s, env, r, q}, Attr: scheme.Attr{Type: typeOf(q.typ).media}}
}

// Fields is the one field.
func (f *query) Fields() []scheme.Field {
	return []scheme.Field{{Name: queryField, Kind: scheme.FieldText}}
}

// words finds the answer.
func (f *query) words(answers []scheme.Answer) (string, error) {
	if len(answers) != 1 || answers[0].Name != "" && !scheme.SameField(queryField, answers[0].Name) {
		return "", scheme.Fail(scheme.CodeUsage, "a search has one field, %q", queryField)
	}
	return answers[0].Value, nil
}

// Fill gives the URL with the words behind %09.
func (f *query) Fill(answers []scheme.Answer) (locator.URL, bool) {
	words, err := f.words(answers)
	if err != nil || wire.Check("search", words, "\t") != nil {
		return locator.URL{}, false
	}
	u, err := f.q.withWords(words).url()
	return u, err == nil
}

// Submit searches.
func (f *query) Submit(ctx context.Context, answers []scheme.Answer) (*scheme.Resource, error) {
	words, err := f.words(answers)
	if err != nil {
		return nil, err
	}
	r := f.r
	r.Query, r.HasQuery = words, true
	return f.s.Access(ctx, f.env, r)
}
