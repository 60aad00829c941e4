package gopher

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// queryField is the name of the one field of a search.
const queryField = "Search"

// query is the resource of a search that waits for its words (RFC 1738 3.4.2).
func (q request) query() *scheme.Resource {
	return &scheme.Resource{Kind: scheme.KindQuery, Attr: scheme.Attr{Type: typeOf(q.typ).media},
		Form: &scheme.Form{Fields: []scheme.Field{{Name: queryField, Kind: scheme.FieldText}}}}
}

// queryWords finds the answer.
func queryWords(answers []scheme.Answer) (string, error) {
	if len(answers) != 1 || answers[0].Name != "" && !scheme.SameField(queryField, answers[0].Name) {
		return "", scheme.Fail(scheme.CodeUsage, "a search has one field, %q", queryField)
	}
	return answers[0].Value, nil
}

// fillQuery returns the URL with the words behind %09.
func (q request) fillQuery(answers []scheme.Answer) (locator.URL, bool) {
	words, err := queryWords(answers)
	if err != nil || wire.Check("search", words, "\t") != nil {
		return locator.URL{}, false
	}
	u, err := q.withWords(words).url()
	return u, err == nil
}
