package conformance

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
	"locator/internal/octet"
)

// For other schemes Current agrees with the rules that RFC 3987 prints, in verdict and offset.
//
// Covers: S21f
func TestCurrentIsRFC3987(t *testing.T) {
	t.Parallel()
	g := bnf.RFC(3987)
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 4000 {
			s := "x-other" + strings.TrimLeft(g.Generate("IRI", r, 1+r.IntN(50)), "+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
			if r.IntN(2) == 0 {
				s = "x-other:" + bnf.Mutate(r, strings.TrimPrefix(s, "x-other:"))
			}
			if i := strings.IndexByte(s, ':'); i < 0 || locator.SyntaxOf(s[:i]) != nil {
				continue
			}
			ok, viable := g.Match("IRI", s)
			u, err := locator.Current.Parse(s)
			if ok != (err == nil) {
				t.Fatalf("%q: got %v by RFC 3987, %v by Current", s, ok, err)
			}
			if err != nil && err.(*locator.SyntaxError).Offset != viable {
				t.Fatalf("%q: the grammar of RFC 3987 stops at %d, Current: %v", s, viable, err)
			}
			if err == nil && octet.IsASCII(s) {
				if ok, _ := bnf.RFC(3986).Match("URI", s); !ok {
					t.Fatalf("%q is not a URI", s)
				}
			}
			if err == nil {
				if ok, _ := bnf.RFC(3986).Match("URI", u.ASCII().Text()); !ok {
					t.Fatalf("the ASCII form of %q, %q, is not a URI", s, u.ASCII().Text())
				}
			}
		}
	})
}

// Current parses the URLs that the RFCs of the schemes allow into their parts.
//
// Covers: S21c, S21d
func TestCurrentReadsRFCs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number int
		rule   string
		check  func(t *testing.T, s string, u locator.URL)
	}{
		{5538, "newsURL", func(t *testing.T, s string, u locator.URL) {
			v, _ := locator.As[*locator.News](u)
			_, part, server := strings.Cut(strings.TrimPrefix(u.SchemePart(), "//"), "/")
			if server = server && strings.HasPrefix(u.SchemePart(), "//"); !server {
				part = u.SchemePart()
			}
			if article := strings.Contains(part, "@"); server != u.HasHost() || article != (v.Kind == locator.NewsArticle) || article && v.Article != locator.Decode(part) {
				t.Fatalf("%q parses to %#v", s, plain{v})
			}
		}},
		{5538, "nntpURL", func(t *testing.T, s string, u locator.URL) {
			v, _ := locator.As[*locator.NNTP](u)
			path := strings.SplitN(u.SchemePart(), "/", 5)[3:]
			if v.Group != locator.Decode(path[0]) || (len(path) == 2) != v.Article.IsSet() || v.Range.IsSet() {
				t.Fatalf("%q parses to %#v", s, plain{v})
			}
		}},
		{6068, "mailtoURI", func(t *testing.T, s string, u locator.URL) {
			v, _ := locator.As[*locator.Mailto](u)
			to, fields, ok := strings.Cut(u.SchemePart(), "?")
			var want []string
			for address := range strings.SplitSeq(to, ",") {
				want = append(want, locator.Decode(address))
			}
			if to == "" {
				want = []string{}
			}
			if !reflect.DeepEqual(v.To, want) || ok && strings.Count(fields, "&")+1 != len(v.Headers) {
				t.Fatalf("%q parses to %#v", s, v)
			}
		}},
		{8089, "file-URI", func(t *testing.T, s string, u locator.URL) {
			v, _ := locator.As[*locator.File](u)
			path := strings.TrimPrefix(u.SchemePart(), "//"+u.Host())
			if len(v.Segments) != strings.Count(strings.TrimPrefix(path, "/"), "/")+1 {
				t.Fatalf("%q parses to %#v", s, v)
			}
		}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(c.number), 1))
			read := 0
			for range 3000 {
				s := bnf.RFC(c.number).Generate(c.rule, r, 1+r.IntN(50))
				u, err := locator.Current.Parse(s)
				if err == nil {
					read++
					c.check(t, s, u)
					continue
				}
				if e := err.(*locator.SyntaxError); e.Rule != "host" && e.Rule != "authority" { // an empty host is rejected
					t.Fatalf("%q: %v", s, err)
				}
			}
			if read < 1500 {
				t.Errorf("only %d were accepted", read)
			}
		})
	}
}
