package schemetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"locator"
	"locator/internal/bnf"
)

// samples is how many generated URLs are tested.
const samples = 2000

// checkGrammar compares the parser with the productions in the scheme's syntax.
//
// Covers: S1, S20
func checkGrammar(s *stage) {
	syntax := s.h.Scheme.Syntax()
	part, err := bnf.Parse(syntax.Productions)
	if err != nil {
		s.Fatalf("Syntax().Productions: %v", err)
	}
	if _, ok := part.Rule(syntax.Rule); !ok {
		s.Fatalf("Syntax().Rule is %q, which Productions do not define", syntax.Rule)
	}
	if slices.Contains(bnf.Schemes(), syntax.Name) {
		s.grammarOfRFC(syntax, part)
		return
	}
	s.grammarOfOthers(syntax)
}

// grammarOfRFC checks that the parser of a scheme of RFC 1738 agrees with its grammar, also in
// error offsets.
func (s *stage) grammarOfRFC(syntax *locator.Syntax, part *bnf.Grammar) {
	for _, line := range bnf.RFC1738().Diff(part) {
		s.Errorf("the productions are not those of RFC 1738 section 5: %s", line)
	}
	r := rand.New(rand.NewPCG(1738, 5))
	for range samples {
		text := bnf.RFC1738().Generate(syntax.Rule, r, 80)
		if r.IntN(2) == 0 {
			text = bnf.Mutate(r, text)
		}
		_, ok, offset := bnf.URL(text)
		_, err := locator.RFC1738.Parse(text)
		if ok != (err == nil) {
			s.Fatalf("%q: the grammar says %v, the parser %v", text, ok, err)
		}
		var bad *locator.SyntaxError
		if err != nil && (!errors.As(err, &bad) || bad.Offset != offset) {
			s.Fatalf("%q: the grammar stops at offset %d, the parser says %v", text, offset, err)
		}
	}
}

// grammarOfOthers checks that the URLs of a new scheme are valid for the generic parser.
func (s *stage) grammarOfOthers(syntax *locator.Syntax) {
	whole, err := bnf.Parse(withCommonRules(syntax.Productions))
	if err != nil {
		s.Fatalf("Syntax().Productions, with the rules of RFC 1738 that they use: %v", err)
	}
	parser := locator.Current
	if syntax.Extension { // whose productions are those of a scheme of RFC 1738
		parser = locator.RFC1738
	}
	r := rand.New(rand.NewPCG(1738, 5))
	for range samples {
		text := whole.Generate(syntax.Rule, r, 80)
		u, err := parser.Parse(text)
		if err != nil {
			s.Fatalf("%q matches the productions, but is not a valid URL: %v", text, err)
		}
		if u.Scheme() != syntax.Name || u.Text() != text {
			s.Fatalf("%q matches the productions of %s, but is parsed as scheme %q, text %q", text, syntax.Name, u.Scheme(), u.Text())
		}
	}
}

// withCommonRules adds the rules of RFC 1738 that productions does not define.
func withCommonRules(productions string) string {
	part, err := bnf.Parse(productions)
	if err != nil {
		return productions
	}
	var b strings.Builder
	b.WriteString(productions)
	b.WriteString("\n")
	for _, rule := range bnf.RFC1738().Rules() {
		if _, own := part.Rule(rule.Name); !own {
			b.WriteString(rule.String() + "\n")
		}
	}
	return b.String()
}
