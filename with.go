package locator

import "locator/internal/octet"

// WithSearch replaces the search of an http or https URL (RFC 1738 3.3), or takes it away. It is given as written, as
// [net/url.Values.Encode] writes it. URLs of other schemes have none to replace.
//
// All methods With... replace one part, as it is written, and leave every other octet as it is: escapes too, which a view
// that is built again need not keep where the octet is reserved ("%26" in a search). The result is read by [Current], or
// by [RFC1738] where only that reads it. A part that would change what stands beside it, such as a search with a "#", is an
// error. The error is a *[SyntaxError]; its Offset counts in the text with the new part.
func (u URL) WithSearch(search Optional) (URL, error) {
	if u.grammar() != httpGrammar {
		return URL{}, u.cannot("search", "3.3", "the scheme has no search", "use an http or https URL")
	}
	text := u.text[:u.pathEnd]
	if s, ok := search.Get(); ok {
		text += "?" + s
	}
	return u.with("search", text+u.text[u.end:], func(v URL) bool { return optional(v.Search()) == search && sameFragment(u, v) })
}

// WithFragment replaces the fragment (RFC 3986 3.5), or takes it away. It is given as written. [URL.WithSearch] says what
// holds for all methods With...; [URL.WithoutFragment] needs no error.
func (u URL) WithFragment(fragment Optional) (URL, error) {
	text := u.text[:u.end]
	if s, ok := fragment.Get(); ok {
		text += "#" + s
	}
	return u.with(ruleFragment, text, func(v URL) bool { return optional(v.Fragment()) == fragment })
}

// WithHost replaces host and port (RFC 1738 3.1); a login stays. The host is given as [URL.Host] gives it, an IPv6 literal in
// its brackets; a port of "" is none. [URL.WithSearch] says what holds for all methods With...
func (u URL) WithHost(host, port string) (URL, error) {
	if !u.HasHost() {
		return URL{}, u.cannot("host", "3.1", "the URL has no host", "use a URL with //")
	}
	text := host
	if port != "" {
		text += ":" + port
	}
	return u.with("host", u.text[:u.host]+text+u.text[u.portEnd:], func(v URL) bool { return v.Host() == host && v.Port() == port })
}

// WithScheme replaces the scheme (RFC 1738 2.1) and keeps all behind its colon; the rule of the new scheme has to allow that.
// [URL.WithSearch] says what holds for all methods With...
func (u URL) WithScheme(name string) (URL, error) {
	if u.IsZero() {
		return URL{}, u.cannot("scheme", "2.1", "there is no URL", "read one first")
	}
	return u.with("scheme", name+u.text[u.colon:], func(v URL) bool { return v.Scheme() == octet.Lower(name) && v.SchemePart() == u.SchemePart() })
}

// with reads a changed text, and holds it to having changed as it should.
func (u URL) with(rule, text string, good func(URL) bool) (URL, error) {
	if u.IsZero() {
		return URL{}, u.cannot(rule, "2.1", "there is no URL", "read one first")
	}
	v, err := Current.Parse(text)
	if err != nil {
		strict, strictErr := RFC1738.Parse(text)
		if strictErr != nil {
			return URL{}, err
		}
		v = strict
	}
	if !good(v) {
		return URL{}, u.cannot(rule, "2.2", "the new part holds a delimiter of another", "escape it")
	}
	return v, nil
}

func (u URL) cannot(rule, section, msg, hint string) error {
	return &SyntaxError{Scheme: u.Scheme(), Rule: rule, Section: section, Msg: msg, Hint: hint, build: true}
}

// sameFragment reports whether both have the same fragment, or none.
func sameFragment(a, b URL) bool { return optional(a.Fragment()) == optional(b.Fragment()) }
