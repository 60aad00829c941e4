package conformance

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/hang"
)

// Parse of a valid URL of any scheme does not allocate, in either syntax.
func TestParseAllocs(t *testing.T) {
	texts := []string{"htp://h/", "HTP://h/", "HTTPS://h:443/a?b", "X-Long-Scheme-Name://u:p@h:1/a", "x:a%41", "x://a:b:c", "i://7-aO-C;type=d", "w+o://8.R3.4.498872:078", "x://a_b", "x://a-", "x://-:"}
	for _, c := range views {
		texts = append(texts, c.text)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		texts = append(texts, generate(r))
	}
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		for _, s := range texts {
			if _, err := p.Parse(s); err != nil {
				continue
			}
			if n := testing.AllocsPerRun(10, func() { p.Parse(s) }); n != 0 {
				t.Errorf("%s: %q takes %v allocations", p.Name(), s, n)
			}
		}
	}
	for _, s := range []string{"http://[::1]:80/~#a", "x://u:p@[::1.2.3.4]/", "https://h/~?~#"} {
		if n := testing.AllocsPerRun(10, func() { locator.Current.Parse(s) }); n != 0 {
			t.Errorf("%q takes %v allocations", s, n)
		}
	}
	u := locator.MustParse("ftp://u:p@h:21/a/b;type=i")
	if n := testing.AllocsPerRun(10, func() { checkAccessors(t, u) }); n != 0 {
		t.Errorf("the accessors make %v allocations", n)
	}
}

// An error of Parse takes two allocations: the error and its text.
//
// Covers: S2
func TestErrorAllocs(t *testing.T) {
	texts := []string{"", ":", "HTTP://h/ ", "X-LONG-SCHEME-NAME-IN-UPPER-CASE://u:p@h/ ", "x:\xe2\x82", "http://h/\u200b", "me:s3cret@h/ ", "ftp://me:s3 cret@h/", "mysql://u:p w@h"}
	for _, c := range syntaxErrors {
		texts = append(texts, c.text)
	}
	for _, c := range currentErrors {
		texts = append(texts, c.text)
	}
	texts = append(texts, spoiled(slices.Concat(tenSchemes()[:500], webLike()[:500]))...)
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		for _, s := range texts {
			if _, err := p.Parse(s); err == nil {
				continue
			}
			if n := testing.AllocsPerRun(5, func() { p.Parse(s) }); n > 2 {
				t.Errorf("%s: the error of %q takes %v allocations", p.Name(), s, n)
			}
		}
	}
}

// IsForeignPort does not allocate, since policy calls it for every connection.
func TestIsForeignPortAllocs(t *testing.T) {
	for _, name := range []string{"ftp", "GOPHERS", "x-y", ""} {
		if n := testing.AllocsPerRun(10, func() { locator.IsForeignPort(name, 990) }); n != 0 {
			t.Errorf("IsForeignPort(%q) makes %v allocations", name, n)
		}
	}
}

// A view is one allocation, a list one more, all decoded text together one more, and a list of
// fields one more.
func TestViewAllocs(t *testing.T) {
	for _, c := range []struct {
		text string
		most float64
	}{
		{"http://h/a/b/c?d", 2},
		{"https://u:p@h:1/a/b/c?d=e#f", 2},
		{"https://u%40:p%40@h:1/a%20b/b/c%20d/%25?d%3D", 3},
		{"ftp://u:p@h/a/b/c;type=i", 2},
		{"ftp://u%40:p%40@h/a%20b/b/c%20d;type=i", 3},
		{"file:///a/b/c", 2},
		{"file:///a%20b/b/c%20d", 3},
		{"gopher://h/7a%20b%09c%20d", 2},
		{"nfs://h//a%20b/c%20d", 3},
		{"wais://h/d%20a?b%20c", 2},
		{"nntp://u%40:p%40@h/a.b/12", 2},
		{"news:a%20b@c", 2},
		{"telnet://u%40:p%40@h/", 2},
		{"prospero://h/a%20b;c=d;e%20f=g", 3},
		{"mailto:a@b,c%20d@e?subject=f%20g&body=h%20i", 4},
	} {
		u := locator.Current.MustParse(c.text)
		if n := testing.AllocsPerRun(10, func() { u.View() }); n > c.most {
			t.Errorf("the view of %q makes %v allocations", c.text, n)
		}
	}
}

// Canonical does not allocate for a URL in canonical form.
func TestCanonicalAllocs(t *testing.T) {
	hang.Within(t, 20*time.Second)
	var list []locator.URL
	for _, c := range views {
		list = append(list, locator.MustParse(c.text).Canonical())
	}
	r := rand.New(rand.NewPCG(27, 28))
	for range 1000 {
		if u, err := locator.Current.Parse(generateCurrent(r)); err == nil {
			list = append(list, u.Canonical())
		}
	}
	list = append(list, locator.MustParse("http://h/"+strings.Repeat("%20", 300)), locator.MustParse("http://h/"+strings.Repeat("a", 4000)))
	for _, u := range list {
		if strings.Contains(u.Host(), "%") { // a host that is not a name must be decoded
			continue
		}
		if n := testing.AllocsPerRun(10, func() { u.Canonical() }); n != 0 {
			t.Errorf("the canonical form of %q makes %v allocations", u.Text(), n)
		}
	}
}

func checkAccessors(t *testing.T, u locator.URL) {
	user, _ := u.User()
	password, _ := u.Password()
	port, _ := u.PortNumber()
	path, _ := u.Path()
	_, search := u.Search()
	if u.Scheme() != "ftp" || user != "u" || password != "p" || u.Host() != "h" || port != 21 || path != "a/b;type=i" || search ||
		u.WithoutFragment() != u || u.SchemePart() != u.Text()[len("ftp:"):] {
		t.Error("the accessors return different parts")
	}
}
