package locator

import "strings"

// Query returns the parameters in the search of an http or https URL (RFC 1738 3.3), in their order. It reads them as web forms write
// them (application/x-www-form-urlencoded): "&" separates parameters, "=" ends a name, "+" is a space, and escapes are decoded last.
// Empty parameters are left out. It returns nil for a URL without a search, and of another scheme.
//
// Only the server knows whether its search has this form; see [URL.Search] for the text.
func (u URL) Query() []Pair {
	search, ok := u.Search()
	if !ok || u.grammar() != httpGrammar {
		return nil
	}
	var list []Pair
	d := u.decoder()
	for field := range strings.SplitSeq(strings.ReplaceAll(search, "+", " "), "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		list = append(list, Pair{Name: d.text(name), Value: d.text(value)})
	}
	return list
}

// QueryValue returns the value of the first parameter with that name in [URL.Query]. ok is false if there is none.
func (u URL) QueryValue(name string) (value string, ok bool) {
	for _, p := range u.Query() {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// WithQuery returns the URL with a search that has exactly these parameters, in the form that [URL.Query] reads. [Encode] escapes names
// and values. Without parameters the search is removed. See [URL.WithSearch] for the errors.
func (u URL) WithQuery(params ...Pair) (URL, error) {
	if len(params) == 0 {
		return u.WithSearch(Optional{})
	}
	var b strings.Builder
	for i, p := range params {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(Encode(p.Name) + "=" + Encode(p.Value))
	}
	return u.WithSearch(Some(b.String()))
}
