package repair

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/internal/bnf"
)

// currentGrammars returns the productions of Current, by scheme.
var currentGrammars = sync.OnceValue(func() map[string]*bnf.Grammar {
	list := map[string]*bnf.Grammar{}
	for _, s := range locator.Schemes() {
		g, err := bnf.ParseABNF(locator.CurrentProductions + s.Current)
		if err != nil {
			panic(s.Name + ": " + err.Error())
		}
		list[s.Name] = g
	}
	return list
})

// generated returns a random URL by the grammar of Current, or by that of RFC 1738.
func generated(r *rand.Rand) string {
	all := locator.Schemes()
	s := all[r.IntN(len(all))]
	size := 1 + r.IntN(60)
	switch r.IntN(4) {
	case 0:
		return bnf.RandomURL(r, size)
	case 1:
		other := []string{"x-other:", "urn:", "ws:", "ldap:", "sip:"}
		return other[r.IntN(len(other))] + bnf.RFC1738().Generate("schemepart", r, size)
	}
	text := currentGrammars()[s.Name].Generate(s.Rule, r, size)
	if r.IntN(4) == 0 {
		text += "#" + currentGrammars()[s.Name].Generate("fragment", r, 8)
	}
	return text
}

// pieces has texts that Current accepts and RFC1738 does not, and similar invalid ones.
var pieces = []string{
	"~", "[::1]", "[2001:db8::192.0.2.1]", "[v1.a:b]", "[v", "#", "#a", "https:", "[", "]", "[::", "~@", "@[::1]:80", "%7E", "u:p:q@", "é",
	"ü.", "。", "%C3%BC", "%E2%80%8B", "\u202e", "\ue000", "\U0001F600", "\U000E0001", "\xf0\x9f", ":", "a_b", "-", "0x7f.1", "?", "?a/b?c", "?a=b&c=d",
	",", "*", "//", "//h/", "1-2", "-", "12/1=a;2=b/c;", "12/1=h:210;", ";esn=F", ";rs=a+b", "+", "c:/", "/", "@", "%40",
}

// currentText returns a random text that Current may accept.
func currentText(r *rand.Rand) string {
	s := generated(r)
	for range r.IntN(3) {
		i := r.IntN(len(s) + 1)
		s = s[:i] + pieces[r.IntN(len(pieces))] + s[i:]
	}
	if r.IntN(8) == 0 {
		s = strings.Replace(s, "http:", "https:", 1)
	}
	if r.IntN(3) == 0 {
		s = bnf.Mutate(r, s)
	}
	return s
}

// seeded runs f in parallel parts, each with a random source whose seed depends on the part.
func seeded(t *testing.T, parts int, f func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	for i := range parts {
		t.Run(fmt.Sprintf("seed%d", i), func(t *testing.T) {
			t.Parallel()
			f(t, rand.New(rand.NewPCG(1738, uint64(i))))
		})
	}
}
