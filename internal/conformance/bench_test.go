package conformance

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
)

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

// The benchmarks parse the same texts with RFC1738, Current and net/url: URLs of the ten schemes,
// URLs similar to those of the web, and the lines of the file that LOCATOR_URLS names. Each set has
// only texts that all the compared parsers accept.
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

// BenchmarkParseError compares the error of an invalid URL with the result of a valid one: each
// text is parsed as it is, and with one byte that no URL contains.
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
