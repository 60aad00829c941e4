//go:build !race

package policy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"locator"
	"locator/internal/bnf"
	"locator/policy"
	"locator/scheme"
	"locator/vet"
)

// Policy refuses exactly those URLs that vet.URL calls dangerous.
//
// Covers: P1, P2, S4, T206
func TestDangerIsRefused(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 20_000))
	var urls []string
	for range 20_000 {
		text := bnf.RandomURL(r, 60)
		if r.IntN(2) == 0 {
			text = bnf.Mutate(r, text)
		}
		urls = append(urls, text)
	}
	urls = append(urls, "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", "http://h:0/", "http://h:65536/", "http://h:25/",
		"ftp://h:80/", "ftp://1.2.3.256/", "ftp://1.2.3.010/", "gopher://[::1]:22/", "news:a%20b@c", "telnet://a%0Ab@h/", "file:///%00", "file:///%0A",
		"prospero://h/%0A", "prospero://h/a;b=%0D", "wais://h/a?%0D%0A", "mailto:a%0Ab@c", "http://h/%0D%0A", "gopher://h/1%0A", "gopher://h/1%09%09%09",
		"http://0x7f.1/", "http://2130706433/", "http://127.0.0.%31/", "http://256.1.1.%31/", "http://[v1.x]/", "http://1.2.3.4./", "http://-h/", "http://a_b/",
		"http://b\u00fccher.example/", "nntp://h/a%20b", "news://h:25/", "mailto:a@b?subject=%0A", "mailto:a@b?body=%0D%0A", "tn3270://u%00@h/", "nfs://h:2049/%00")
	standard := policy.New(policy.Options{})
	refused := 0
	for _, text := range urls {
		u, err := locator.Current.Parse(text)
		if err != nil || locator.SyntaxOf(u.Scheme()) == nil { // of other schemes the ports are not known
			continue
		}
		want := standard.URL(u, scheme.Hop{})
		danger := slices.ContainsFunc(vet.URL(u), func(f vet.Finding) bool { return f.Severity == vet.SeverityDanger })
		if danger != (want != nil) {
			t.Errorf("%q: findings %v, policy says %v", text, vet.URL(u), want)
		}
		if danger {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("only %d URLs are dangerous: that shows little", refused)
	}
}
