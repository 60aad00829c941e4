package locator

import "locator/internal/octet"

// WithSearch returns the URL with another search (RFC 1738 3.3), or without one if search is absent. The search is given as written,
// for example by [net/url.Values.Encode]. Only http and https URLs have a search to replace.
//
// The methods With... replace one part and keep every other byte, escapes included. (A view that is built again may lose escapes of
// reserved bytes, such as "%26" in a search.) They parse the result with [Current], or with [RFC1738] if only that accepts it. A part
// that would change another part, such as a search with a "#", is an error. The error is a *[SyntaxError]; its Offset counts in the
// text with the new part.
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

// WithFragment returns the URL with another fragment (RFC 3986 3.5), given as written, or without one if fragment is absent. See
// [URL.WithSearch] for the errors; [URL.WithoutFragment] never fails.
func (u URL) WithFragment(fragment Optional) (URL, error) {
	text := u.text[:u.end]
	if s, ok := fragment.Get(); ok {
		text += "#" + s
	}
	return u.with(ruleFragment, text, func(v URL) bool { return optional(v.Fragment()) == fragment })
}

// WithHost returns the URL with another host and port (RFC 1738 3.1); a login stays. The host is given in the form of [URL.Host], an
// IPv6 literal in its brackets. An empty port is none. See [URL.WithSearch] for the errors.
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

// WithScheme returns the URL with another scheme (RFC 1738 2.1) and the same text after the colon, which the rule of the new scheme must
// allow. See [URL.WithSearch] for the errors.
func (u URL) WithScheme(name string) (URL, error) {
	return u.with("scheme", name+u.text[u.colon:], func(v URL) bool { return v.Scheme() == octet.Lower(name) && v.SchemePart() == u.SchemePart() })
}

// with parses a changed text and checks that it changed as it should.
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
