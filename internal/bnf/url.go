package bnf

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Schemes returns the names of the schemes that RFC 1738 section 5 predefines,
// in its order.
func Schemes() []string {
	return []string{"http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero"}
}

// RuleOf returns the rule that URLs of a scheme have to meet. The scheme is in
// lower case.
func RuleOf(scheme string) string {
	if slices.Contains(Schemes(), scheme) {
		return scheme + "url"
	}
	return "genericurl"
}

// URL checks a text against RFC 1738 sections 2.1 and 5. A predefined scheme must match its own
// rule, even if the text matches otherurl; any other scheme must match genericurl.
//
// The scheme is in lower case, and empty if no scheme with its colon was found. The offset is that
// of the first byte with which no URL of that scheme can continue, and len(input) if the text is
// valid or only ends too early. Without a scheme it is that of the first byte that is not allowed
// in one.
func URL(input string) (scheme string, ok bool, offset int) {
	g := RFC1738()
	name, _, colon := strings.Cut(input, ":")
	if ok, offset = g.Match(schemeRule, name); !ok || !colon {
		return "", false, offset
	}
	scheme = strings.ToLower(name)
	ok, offset = g.Match(RuleOf(scheme), input)
	return scheme, ok, offset
}

// RandomURL returns a random sentence of one of the predefined schemes or of
// the generic form, each as often, for which [URL] is ok. Size is as in
// [Grammar.Generate].
func RandomURL(r *rand.Rand, size int) string {
	rule := "genericurl"
	if list := Schemes(); r.IntN(len(list)+1) > 0 {
		rule = RuleOf(list[r.IntN(len(list))])
	}
	for {
		s := RFC1738().Generate(rule, r, size)
		// A generic scheme may happen to be spelled like a predefined one.
		if _, ok, _ := URL(s); ok || rule != "genericurl" {
			return s
		}
	}
}
