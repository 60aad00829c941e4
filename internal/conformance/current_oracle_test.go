package conformance

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/internal/bnf"
)

// currentGrammars returns the productions in the sources of the parsers of Current, by scheme; ""
// is any other scheme.
var currentGrammars = sync.OnceValue(func() map[string]*bnf.Grammar {
	list := map[string]*bnf.Grammar{}
	add := func(name, text string) {
		g, err := bnf.ParseABNF(locator.CurrentProductions + text)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		list[name] = g
	}
	add("", locator.SyntaxOf("mid").Current)
	for _, s := range locator.Schemes() {
		add(s.Name, s.Current)
	}
	return list
})

// currentRule returns the grammar of a scheme in Current, and its rule.
func currentRule(scheme string) (*bnf.Grammar, string) {
	if s := locator.SyntaxOf(scheme); s != nil {
		return currentGrammars()[s.Name], s.Rule
	}
	return currentGrammars()[""], "otherurl"
}

// currentJudgement returns the verdict of the productions on a text.
func currentJudgement(s string) (scheme string, ok bool, offset int) {
	text, fragment, hasFragment := strings.Cut(s, "#")
	name, _, colon := strings.Cut(text, ":")
	if ok, offset = currentGrammars()[""].Match("scheme", name); !ok || !colon {
		return "", false, offset
	}
	scheme = strings.ToLower(name)
	g, rule := currentRule(scheme)
	if ok, offset = g.Match(rule, text); !ok || !hasFragment {
		return scheme, ok, offset
	}
	ok, offset = g.Match("fragment", fragment)
	return scheme, ok, len(text) + 1 + offset
}

// agreeCurrent compares Current with its grammar: verdict, scheme and offset. It returns the
// verdict.
func agreeCurrent(t testing.TB, s string) (ok bool) {
	t.Helper()
	scheme, ok, offset := currentJudgement(s)
	u, err := locator.Current.Parse(s)
	if ok != (err == nil) {
		t.Fatalf("Current.Parse(%q): error %v, the grammar says %v", s, err, ok)
	}
	if err == nil {
		if u.Text() != s || u.Scheme() != scheme {
			t.Fatalf("Current.Parse(%q): text %q, scheme %q", s, u.Text(), u.Scheme())
		}
		checkParts(t, u)
		return true
	}
	e := checkError(t, s, err)
	if e.Offset != offset || e.Scheme != scheme {
		t.Fatalf("Current.Parse(%q): scheme %q, offset %d; the grammar says %q, %d (%v)", s, e.Scheme, e.Offset, scheme, offset, err)
	}
	return false
}

// currentSchemes returns all schemes that have their own rule, and some that have none.
func currentSchemes() []string {
	list := []string{"x-other", "urn", "ws", "ldap", "sip"}
	for _, s := range locator.Schemes() {
		list = append(list, s.Name)
	}
	return list
}

// generateCurrent returns a random URL by the grammar of Current.
func generateCurrent(r *rand.Rand) string {
	schemes := currentSchemes()
	scheme := schemes[r.IntN(len(schemes))]
	g, rule := currentRule(scheme)
	size := 1 + r.IntN(60)
	s := g.Generate(rule, r, size)
	if rule == "otherurl" {
		s = scheme + s[strings.IndexByte(s, ':'):]
	}
	if r.IntN(4) == 0 {
		s += "#" + g.Generate("fragment", r, 8)
	}
	return s
}

// currentPieces has texts that Current accepts and RFC1738 does not, and similar invalid ones.
var currentPieces = []string{
	"~", "[::1]", "[2001:db8::192.0.2.1]", "[v1.a:b]", "[v", "#", "#a", "https:", "[", "]", "[::", "~@", "@[::1]:80", "%7E", "u:p:q@", "é",
	"ü.", "。", "%C3%BC", "%E2%80%8B", "\u202e", "\ue000", "\U0001F600", "\U000E0001", "\xf0\x9f", ":", "a_b", "-", "0x7f.1", "?", "?a/b?c", "?a=b&c=d",
	",", "*", "//", "//h/", "1-2", "-", "12/1=a;2=b/c;", "12/1=h:210;", ";esn=F", ";rs=a+b", "+", "c:/", "/", "@", "%40",
}

// currentText returns a random text that Current may accept.
func currentText(r *rand.Rand) string {
	s := generateCurrent(r)
	if r.IntN(2) == 0 {
		s = generate(r)
	}
	for range r.IntN(3) {
		i := r.IntN(len(s) + 1)
		s = s[:i] + currentPieces[r.IntN(len(currentPieces))] + s[i:]
	}
	if r.IntN(8) == 0 {
		s = strings.Replace(s, "http:", "https:", 1)
	}
	if r.IntN(3) == 0 {
		s = bnf.Mutate(r, s)
	}
	return s
}

// Covers: S1, S2, S21a, S21b, S21c, S21d, S21e, S21f, S22, T206
func TestCurrentOracle(t *testing.T) {
	t.Parallel()
	const parts, each = 8, 9000
	seeded(t, parts, func(t *testing.T, r *rand.Rand) {
		good := 0
		for range each / 3 {
			s := generateCurrent(r)
			if !agreeCurrent(t, s) {
				t.Fatalf("generated, but rejected: %q", s)
			}
			for range 2 {
				if agreeCurrent(t, bnf.Mutate(r, currentText(r))) {
					good++
				}
			}
		}
		if good < each/20 || good > each*19/20 {
			t.Errorf("%d of %d mutations are valid: too few of one kind", good, each)
		}
	})
}

// Covers: S2, S21f
func TestCurrentOracleEveryPrefix(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 120 {
			s := currentText(r)
			for i := range s {
				agreeCurrent(t, s[:i])
				agreeCurrent(t, s[:i]+string([]byte{byte(r.IntN(256))}))
			}
		}
	})
}

func FuzzCurrentOracle(f *testing.F) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		f.Add(currentText(r))
	}
	f.Fuzz(func(t *testing.T, s string) { agreeCurrent(t, s) })
}
