package conformance

import (
	"bufio"
	"fmt"
	"locator"
	"locator/internal/bnf"
	"locator/internal/hang"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
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

// A view is one allocation, a list one more, all decoded text together one more, and a list of fields one more.
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

// tenSchemes returns URLs of the ten schemes, generated from the grammar.
func tenSchemes() (list []string) {
	r := rand.New(rand.NewPCG(9, 10))
	schemes := bnf.Schemes()
	for i := range 2000 {
		list = append(list, bnf.RFC1738().Generate(bnf.RuleOf(schemes[i%len(schemes)]), r, 60))
	}
	return list
}

// webLike returns URLs similar to those in web pages, of about 90 bytes.
func webLike() (list []string) {
	r := rand.New(rand.NewPCG(11, 12))
	words := strings.Fields("news index archive wiki page item view topic release download image static theme user search public report 2024 v2 main en")
	word := func() string { return words[r.IntN(len(words))] }
	for range 5000 {
		var b strings.Builder
		fmt.Fprintf(&b, "http://%s.%s-%s.example/", []string{"www", "cdn", "docs"}[r.IntN(3)], word(), word())
		for range 1 + r.IntN(5) {
			fmt.Fprintf(&b, "%s-%s/", word(), word())
		}
		fmt.Fprintf(&b, "%s-%x.html", word(), r.Uint32())
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "?%s=%s&%s=%d", word(), word(), word(), r.IntN(1e6))
		}
		if r.IntN(8) == 0 {
			b.WriteString("%20" + word())
		}
		list = append(list, b.String())
	}
	return list
}

// The benchmarks parse the same texts with RFC1738, Current and net/url: URLs of the ten schemes, URLs similar to those of
// the web, and the lines of the file that LOCATOR_URLS names. Each set has only texts that all the compared parsers accept.
func BenchmarkParse(b *testing.B) {
	sets := []struct {
		name  string
		texts []string
	}{{"schemes", tenSchemes()}, {"web", webLike()}}
	if name := os.Getenv("LOCATOR_URLS"); name != "" {
		sets = append(sets, struct {
			name  string
			texts []string
		}{"file", readLines(b, name)})
	}
	strict := func(s string) error { _, err := locator.RFC1738.Parse(s); return err }
	current := func(s string) error { _, err := locator.Current.Parse(s); return err }
	neturl := func(s string) error { _, err := url.Parse(s); return err }
	for _, set := range sets {
		all := good(set.texts, current, neturl)
		b.Run(set.name+"/current", func(b *testing.B) { benchmarkParse(b, all, current) })
		b.Run(set.name+"/net-url", func(b *testing.B) { benchmarkParse(b, all, neturl) })
		some := good(all, strict)
		b.Run(set.name+"/rfc1738", func(b *testing.B) { benchmarkParse(b, some, strict) })
		b.Run(set.name+"/net-url-of-rfc1738", func(b *testing.B) { benchmarkParse(b, some, neturl) })
	}
}

// BenchmarkParseError compares the error of an invalid URL with the result of a valid one: each text is parsed as it is, and with one byte
// that no URL contains.
func BenchmarkParseError(b *testing.B) {
	for _, set := range []struct {
		name  string
		texts []string
	}{{"schemes", tenSchemes()}, {"web", webLike()}} {
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
			parse := func(s string) error { _, err := p.Parse(s); return err }
			valid := good(set.texts, parse)
			bad := spoiled(valid)
			b.Run(set.name+"/"+p.Name()+"/valid", func(b *testing.B) { benchmarkParse(b, valid, parse) })
			b.Run(set.name+"/"+p.Name()+"/invalid", func(b *testing.B) {
				benchmarkParse(b, bad, func(s string) error {
					if parse(s) == nil {
						return fmt.Errorf("%q is a URL", s)
					}
					return nil
				})
			})
		}
	}
}

// spoiled returns URLs with one byte that no URL contains, in any place.
func spoiled(urls []string) []string {
	const wrong = "\"<>\\^` {|}\x00\xff"
	r := rand.New(rand.NewPCG(13, 14))
	list := make([]string, len(urls))
	for i, s := range urls {
		at, c := r.IntN(len(s)), r.IntN(len(wrong))
		list[i] = s[:at] + wrong[c:c+1] + s[at+1:]
	}
	return list
}

// good returns the texts that all of the parsers accept.
func good(texts []string, readers ...func(string) error) (list []string) {
next:
	for _, s := range texts {
		for _, read := range readers {
			if read(s) != nil {
				continue next
			}
		}
		list = append(list, s)
	}
	return list
}

// benchmarkParse measures one URL per operation.
func benchmarkParse(b *testing.B, texts []string, read func(string) error) {
	if len(texts) == 0 {
		b.Fatal("no URLs")
	}
	size := 0
	for _, s := range texts {
		size += len(s)
	}
	b.SetBytes(int64(size / len(texts)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := read(texts[i]); err != nil {
			b.Fatal(err)
		}
		if i++; i == len(texts) {
			i = 0
		}
	}
}

// readLines returns the lines of a file.
func readLines(b *testing.B, name string) (list []string) {
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		list = append(list, lines.Text())
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
	return list
}

func BenchmarkCanonical(b *testing.B) {
	var urls []locator.URL
	for _, s := range tenSchemes() {
		urls = append(urls, locator.MustParse(s))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % len(urls) {
		urls[i].Canonical()
	}
}

func BenchmarkView(b *testing.B) {
	var urls []locator.URL
	for _, s := range tenSchemes() {
		urls = append(urls, locator.MustParse(s))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % len(urls) {
		urls[i].View()
	}
}

func BenchmarkBuild(b *testing.B) {
	var list []locator.View
	for _, s := range tenSchemes() {
		list = append(list, locator.MustParse(s).View())
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % len(list) {
		if _, err := locator.Build(list[i]); err != nil {
			b.Fatal(err)
		}
	}
}
