package conformance

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"locator"
	"locator/internal/bnf"
)

// agree compares RFC1738 with the grammar: verdict, scheme and offset. It returns the verdict.
func agree(t testing.TB, s string) (ok bool) {
	t.Helper()
	scheme, ok, offset := strictJudgement(s)
	u, err := locator.RFC1738.Parse(s)
	if ok != (err == nil) {
		t.Fatalf("Parse(%q): error %v, the grammar says %v", s, err, ok)
	}
	if err == nil {
		if u.Text() != s || u.Scheme() != scheme {
			t.Fatalf("Parse(%q): text %q, scheme %q", s, u.Text(), u.Scheme())
		}
		checkParts(t, u)
		return true
	}
	e := checkError(t, s, err)
	if e.Offset != offset || e.Scheme != scheme {
		t.Fatalf("Parse(%q): scheme %q, offset %d; the grammar says %q, %d (%v)", s, e.Scheme, e.Offset, scheme, offset, err)
	}
	return false
}

// strictGrammars returns the productions of the extensions, by scheme: RFC1738 parses them by the
// rule of their scheme without TLS.
var strictGrammars = sync.OnceValue(func() map[string]*bnf.Grammar {
	list := map[string]*bnf.Grammar{}
	for _, s := range locator.Schemes() {
		if !s.Extension {
			continue
		}
		g, err := bnf.Parse(locator.CommonProductions + s.Productions)
		if err != nil {
			panic(s.Name + ": " + err.Error())
		}
		list[s.Name] = g
	}
	return list
})

// strictJudgement returns the verdict of RFC 1738 section 5 on a text, with the table of schemes
// for an extension.
func strictJudgement(s string) (scheme string, ok bool, offset int) {
	scheme, ok, offset = bnf.URL(s)
	if g := strictGrammars()[scheme]; g != nil {
		ok, offset = g.Match(locator.SyntaxOf(scheme).Rule, s)
	}
	return scheme, ok, offset
}

// checkError checks that an error of Parse is a complete and printable SyntaxError, and returns it.
func checkError(t testing.TB, s string, err error) *locator.SyntaxError {
	t.Helper()
	var e *locator.SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("Parse(%q): error of type %T", s, err)
	}
	if e.Offset < 0 || e.Offset > len(s) {
		t.Fatalf("Parse(%q): offset %d", s, e.Offset)
	}
	if e.Rule == "" || e.Section == "" || e.Msg == "" || e.Hint == "" || strings.Contains(e.Error(), "  ") {
		t.Fatalf("Parse(%q): incomplete error %#v", s, e)
	}
	wide := 0 // the wrong character may be beyond ASCII, nothing else
	for _, c := range e.Error() {
		if c > '~' {
			wide++
		}
		if !unicode.IsGraphic(c) || c == utf8.RuneError && !strings.ContainsRune(s, c) || wide > 1 {
			t.Fatalf("Parse(%q): unprintable character in %q", s, e.Error())
		}
	}
	return e
}

// checkParts checks that the parts of a URL, put together, are its text.
func checkParts(t testing.TB, u locator.URL) {
	t.Helper()
	var b strings.Builder
	b.WriteString(u.Text()[:len(u.Scheme())] + ":")
	path, hasPath := u.Path()
	search, hasSearch := u.Search()
	switch {
	case u.HasHost():
		b.WriteString("//")
		if user, ok := u.User(); ok {
			b.WriteString(user)
			if password, ok := u.Password(); ok {
				b.WriteString(":" + password)
			}
			b.WriteString("@")
		}
		b.WriteString(u.Host())
		if hasPort(u) {
			b.WriteString(":" + u.Port())
		}
		if hasPath {
			b.WriteString("/" + path)
		}
		if hasSearch {
			b.WriteString("?" + search)
		}
	case hasPath: // file and nfs without a host
		b.WriteString(strings.TrimSuffix(u.SchemePart(), path) + path)
	case hasSearch:
		b.WriteString(strings.TrimSuffix(u.SchemePart(), search) + search)
	default:
		b.WriteString(u.SchemePart())
	}
	if fragment, ok := u.Fragment(); ok {
		b.WriteString("#" + fragment)
	}
	if b.String() != u.Text() {
		t.Fatalf("the parts of %q are %q", u.Text(), b.String())
	}
	if got := u.Text()[:len(u.Scheme())+1] + u.SchemePart(); got != u.WithoutFragment().Text() {
		t.Fatalf("scheme and part of %q are %q", u.Text(), got)
	}
	if u.Host() != "" && !u.HasHost() || u.Port() != "" && !u.HasHost() {
		t.Fatalf("%q has a host or port but no authority", u.Text())
	}
}

// generate returns a random URL of the ten schemes, or of another one, by the grammar.
func generate(r *rand.Rand) string {
	schemes := append(bnf.Schemes(), "x-other", "https", "nfs", "generic")
	for name := range maps.Keys(strictGrammars()) {
		schemes = append(schemes, name)
	}
	slices.Sort(schemes)
	g := bnf.RFC1738()
	scheme := schemes[r.IntN(len(schemes))]
	size := 1 + r.IntN(60)
	if g := strictGrammars()[scheme]; g != nil {
		return g.Generate(locator.SyntaxOf(scheme).Rule, r, size)
	}
	switch scheme {
	case "generic":
		return g.Generate("genericurl", r, size)
	case "x-other", "https", "nfs":
		if r.IntN(2) == 0 {
			return scheme + ":" + g.Generate("ip-schemepart", r, size)
		}
		return scheme + ":" + g.Generate("schemepart", r, size)
	}
	return g.Generate(bnf.RuleOf(scheme), r, size)
}

// seeded runs f in parallel parts, each with a random source whose seed depends on the name of the
// test.
func seeded(t *testing.T, parts int, f func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	for i := range parts {
		t.Run(fmt.Sprintf("seed%d", i), func(t *testing.T) {
			t.Parallel()
			f(t, rand.New(rand.NewPCG(1738, uint64(i))))
		})
	}
}

// Covers: S1, S2, S3, S4, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15, S16, T206
func TestOracle(t *testing.T) {
	t.Parallel()
	const parts, each = 8, 15_000
	seeded(t, parts, func(t *testing.T, r *rand.Rand) {
		good := 0
		for range each / 3 {
			s := generate(r)
			if !agree(t, s) && !strings.HasPrefix(s, "x-") {
				// genericurl may generate the name of a predefined scheme, whose own rule applies
				// then.
				if scheme, _, _ := strictJudgement(s); bnf.RuleOf(scheme) == "genericurl" {
					t.Fatalf("generated, but rejected: %q", s)
				}
			}
			for range 2 {
				if agree(t, bnf.Mutate(r, s)) {
					good++
				}
			}
		}
		if good < each/20 || good > each*19/20 {
			t.Errorf("%d of %d mutations are valid: too few of one kind", good, each)
		}
	})
}

// Covers: S1, S2
func TestOracleEveryPrefix(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 150 {
			s := generate(r)
			for i := range s {
				agree(t, s[:i])
				agree(t, s[:i]+string([]byte{byte(r.IntN(256))}))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		s := generate(r)
		f.Add(s)
		f.Add(bnf.Mutate(r, s))
	}
	f.Fuzz(func(t *testing.T, s string) { agree(t, s) })
}
