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

// URL judges a text by RFC 1738 sections 2.1 and 5. A predefined scheme has to
// meet its own rule and is not saved by otherurl; any other has to meet
// genericurl.
//
// Scheme is in lower case, and empty when no scheme with its colon could be
// read. Offset is that of the first byte that continues no URL of that scheme,
// and len(input) when the text is right or only stops too early. Without a
// scheme it is that of the first byte that cannot stand in one.
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
