package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"

	"locator"
	"locator/internal/bnf"
)

// set is a list of texts that every parser measured with it accepts. Rejecting a text is different
// work from parsing it.
type set struct {
	name    string
	about   string
	strict  bool // the texts are valid by RFC 1738
	web     bool // the texts are http and https URLs, which fasthttp and whatwg-url parse
	texts   []string
	octets  int // bytes of all texts
	dropped int // texts that some parser rejects

	bytes     [][]byte      // the texts
	urls      []locator.URL // as Current parses them, without fragments
	canonical []locator.URL // their keys
}

// maxInput bounds the bytes read from a file of URLs.
const maxInput = 1 << 30

// inputs returns the sets: web URLs as they are, the same as RFC 1738 requires, and URLs of the ten
// schemes by its grammar.
func inputs(file string) ([]set, error) {
	web, about := madeUp(), "generated web URLs"
	if file != "" {
		var err error
		if web, err = readLines(file); err != nil {
			return nil, err
		}
		about = "the URLs of " + file
	}
	http := make([]string, len(web))
	for i, s := range web {
		http[i] = asRFC1738(s)
	}
	sets := []set{
		{name: "web", about: about, web: true, texts: web},
		{name: "http", about: about + ", as RFC 1738 requires: http, %7E, no fragment", strict: true, web: true, texts: http},
		{name: "ten", about: "URLs of the ten schemes, generated from the grammar of RFC 1738", strict: true, texts: tenSchemes()},
	}
	for i := range sets {
		if err := sets[i].prepare(); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// asRFC1738 returns a web URL as RFC 1738 requires.
func asRFC1738(s string) string {
	if rest, ok := strings.CutPrefix(s, "https:"); ok {
		s = "http:" + rest
	}
	s, _, _ = strings.Cut(s, "#")
	return strings.ReplaceAll(s, "~", "%7E")
}

// prepare keeps the texts that every parser accepts, and prepares what the operations need of them.
// The texts are contiguous in memory, like the lines of a file, so that the placement of
// allocations does not affect the measurement.
func (s *set) prepare() error {
	var kept []string
	s.texts = strings.Split(strings.Join(s.texts, "\n"), "\n")
	for _, text := range s.texts {
		u, err := locator.Current.Parse(text)
		if err != nil || !othersRead(text, s.web) {
			continue
		}
		if _, err := locator.RFC1738.Parse(text); s.strict && err != nil {
			continue
		}
		kept = append(kept, text)
		s.octets += len(text)
		s.bytes = append(s.bytes, []byte(text))
		s.urls = append(s.urls, u.WithoutFragment())
		s.canonical = append(s.canonical, u.Canonical())
	}
	s.dropped = len(s.texts) - len(kept)
	s.texts = kept
	if len(kept) == 0 {
		return fmt.Errorf("set %s: no text of %d is accepted by all parsers", s.name, s.dropped)
	}
	return nil
}

// othersRead reports whether net/url accepts a text and, for web URLs, the other parsers too.
func othersRead(text string, web bool) bool {
	if _, err := url.Parse(text); err != nil || !web {
		return err == nil
	}
	_, err := whatwg.Parse(text)
	return err == nil && new(fasthttp.URI).Parse(nil, []byte(text)) == nil
}

// readLines returns the lines of a file of URLs.
func readLines(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxInput {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, maxInput)
	}
	var list []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := strings.TrimSuffix(lines.Text(), "\r"); line != "" {
			list = append(list, strings.Clone(line))
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// madeUp returns URLs similar to those in web pages, of some 90 bytes, the same on every run.
func madeUp() (list []string) {
	r := rand.New(rand.NewPCG(11, 12))
	words := strings.Fields("news index archive wiki page item view topic release download image static theme user search public report 2024 v2 main en")
	word := func() string { return words[r.IntN(len(words))] }
	for range 20_000 {
		var b strings.Builder
		fmt.Fprintf(&b, "http%s://%s.%s-%s.example/", []string{"", "s", "s", "s"}[r.IntN(4)], []string{"www", "cdn", "docs"}[r.IntN(3)], word(), word())
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

// tenSchemes returns the same number of URLs for each scheme of RFC 1738.
func tenSchemes() (list []string) {
	r := rand.New(rand.NewPCG(9, 10))
	grammar, schemes := bnf.RFC1738(), bnf.Schemes()
	for i := range 20_000 {
		list = append(list, grammar.Generate(bnf.RuleOf(schemes[i%len(schemes)]), r, 60))
	}
	return list
}
