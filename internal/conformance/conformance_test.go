// The tests of this folder use package locator as a program does. They compare its two syntaxes
// with the grammars of the RFCs, which package bnf runs, and everything else with its definition.
package conformance

import (
	"fmt"
	"slices"
	"strings"

	"locator"
)

// grammar returns the name of the scheme whose view a URL has, "other" for a scheme without one.
func grammar(u locator.URL) string {
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", u.View()), "*locator."))
}

// isExtension reports whether no RFC has the scheme of a URL.
func isExtension(u locator.URL) bool {
	s := locator.SyntaxOf(u.Scheme())
	return s != nil && s.Extension
}

// later returns the URL that Current parses from the text. ok is false if it rejects it.
func later(u locator.URL) (v locator.URL, ok bool) {
	if v, err := locator.Current.Parse(u.Text()); err == nil {
		return v, true
	}
	return u, false
}

// hasPort reports whether a port follows the host, perhaps an empty one.
func hasPort(u locator.URL) bool {
	rest := strings.TrimPrefix(u.SchemePart(), "//")
	if user, ok := u.User(); ok {
		rest = rest[len(user+after(":", optional(u.Password()))+"@"):]
	}
	return u.HasHost() && strings.HasPrefix(rest[len(u.Host()):], ":")
}

// newsKind returns what a news URL locates.
func newsKind(u locator.URL) locator.NewsKind {
	v, _ := locator.As[*locator.News](u)
	return v.Kind
}

// optional returns a part that is present if set is true.
func optional(s string, set bool) locator.Optional {
	if set {
		return locator.Some(s)
	}
	return locator.Optional{}
}

// after returns a part behind its delimiter, or "" if the part is absent.
func after(delimiter string, part locator.Optional) string {
	if s, ok := part.Get(); ok {
		return delimiter + s
	}
	return ""
}

// hasDots reports whether the path of a URL has dot segments.
func hasDots(text string) bool {
	text, _, _ = strings.Cut(text, "#")
	text, _, _ = strings.Cut(text, "?")
	_, path, _ := strings.Cut(text, ":")
	return slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return s == "." || s == ".." })
}
