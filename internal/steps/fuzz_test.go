package main

import (
	"math/rand/v2"
	"testing"

	"locator/internal/bnf"
)

// No function of package locator panics, whatever the text.
//
// Covers: T205
func FuzzEverything(f *testing.F) {
	for _, c := range append(strictLong, currentLong...) {
		c.after = c.after[:min(len(c.after), 60)]
		f.Add(c.text(60))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		schemes := bnf.Schemes()
		s := bnf.RFC1738().Generate(bnf.RuleOf(schemes[i%len(schemes)]), r, 60)
		f.Add(s)
		f.Add(bnf.Mutate(r, s))
	}
	f.Fuzz(func(_ *testing.T, s string) { everything(s) })
}
