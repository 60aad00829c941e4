package conformance

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/bnf"
	"locator/internal/hang"
)

// checkPrefix compares Prefix with its definition, and its error with that of Parse.
func checkPrefix(t testing.TB, p *locator.Parser, text string) {
	t.Helper()
	want := -1
	for n := len(text); n >= 0 && want < 0; n-- {
		if _, err := p.Parse(text[:n]); err == nil {
			want = n
		}
	}
	u, n, err := p.Prefix(text)
	if want >= 0 {
		if err != nil || n != want || u != p.MustParse(text[:want]) {
			t.Fatalf("%s.Prefix(%q) = %q, %d, %v; want %d", p.Name(), text, u.Text(), n, err, want)
		}
		return
	}
	if err == nil || n != 0 || !u.IsZero() || u.Text() != "" {
		t.Fatalf("%s.Prefix(%q) = %q, %d, %v; want an error", p.Name(), text, u.Text(), n, err)
	}
	_, parseErr := p.Parse(text)
	got, parsed := checkError(t, text, err), checkError(t, text, parseErr)
	if got.Offset != parsed.Offset || got.Scheme != parsed.Scheme || got.Rule != parsed.Rule || got.Section != parsed.Section {
		t.Fatalf("%s.Prefix(%q): %#v; Parse says %#v", p.Name(), text, got, parsed)
	}
}

// prefixTails are what may follow a URL, or what only begins a part of one.
var prefixTails = []string{
	"", " ", ".", ")", ",", "%", "%4", "%4x", "#", "#a#b", "#%", "/", "//", ":", ":8", ":8x", "@", "@-", "@[", "@[::1", "@a.1", ";", ";type=", ";type=ab", ";a",
	";a=", "?", "?a", "?a=b&", "?a=b&c", "&", "\xe2\x80", "\xe2", "é", "\ue000", "?\ue000", "\xff", "\x00", "[", "[v1", "1", "a.1", ".1.2", "-", "-.",
	"/1", "/1/", "/1/1", "/1/1=", "/1/1=a;", "/1/1=a;2", ";esn", ";rs=", ";e", "!", "!a", "*", "<", "a_b",
}

// Prefix returns the longest prefix that Parse accepts.
//
// Covers: S1, S2, S21f
func TestPrefix(t *testing.T) {
	t.Parallel()
	texts := []string{"", ":", "a", "HTTP:", "url:", "urn:a b"}
	for _, c := range views {
		texts = append(texts, c.text)
	}
	for _, name := range []string{"testdata/current-errors.golden", "testdata/syntax-errors.golden"} {
		golden, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(golden)) {
			if text, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
				texts = append(texts, text)
			}
		}
	}
	for _, s := range locator.Schemes() {
		for _, rest := range []string{
			"", "/", "//", "//h", "//h/", "//h/d", "//u@", "//u:p", "//u:p@h", "//u_:p@h:1/a/b", "//1.2.3", "//1.2.3.4", "//a.b-.c/", "//[::1]/", "//[::", "//h:80",
			"//a%41", "//u:%41@h/", "a", "a@b", "a@b/c@d", "*", "1", "a/b", "c:/d", "c:",
		} {
			texts = append(texts, s.Name+":"+rest)
		}
	}
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		for _, s := range texts {
			for _, tail := range prefixTails {
				checkPrefix(t, p, s+tail)
				checkPrefix(t, p, s+tail+" x")
			}
		}
	}
}

// Covers: S1, S2, S21f
func TestPrefixRandom(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 4000 {
			s := currentText(r)
			switch r.IntN(4) {
			case 0:
				s = bnf.Mutate(r, s)
			case 1:
				s = s[:r.IntN(len(s)+1)]
			}
			if r.IntN(2) == 0 {
				s += prefixTails[r.IntN(len(prefixTails))]
			}
			checkPrefix(t, locator.RFC1738, s)
			checkPrefix(t, locator.Current, s)
		}
	})
}

// Prefix does not allocate, wherever the URL ends.
func TestPrefixAllocs(t *testing.T) {
	for _, text := range []string{
		"http://h/a b", "news:a!b", "ftp://u:p", "ftp://h/a;type=x", "mailto:a?b=c&d", "http://h/#a%", "news://u:p%4", "x://[::1", "wais://h/d/T/1/1=a;2",
		"http://u@[::1", "HTTP://a.b.1/",
	} {
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
			if n := testing.AllocsPerRun(10, func() { p.Prefix(text) }); n != 0 {
				if _, _, err := p.Prefix(text); err == nil {
					t.Errorf("%s.Prefix(%q) makes %v allocations", p.Name(), text, n)
				}
			}
		}
	}
}

// Prefix reads no further than the first byte that cannot continue a URL, so a search through a
// long text takes linear time.
//
// Covers: S2
func TestPrefixReadsNoFurther(t *testing.T) {
	hang.Within(t, 20*time.Second)
	for _, begin := range []string{"http://h/a b", "http:-", "telnet://h/x", "ftp://h/;x", "wais://-:p", "http://h/#a#", "prospero://h b", "mailto:a?b c", "http", "x://[:::"} {
		text := begin + strings.Repeat("a", 8<<20)
		if begin == "http" {
			text = "http/" + text[4:]
		}
		for range 3000 {
			locator.RFC1738.Prefix(text)
			locator.Current.Prefix(text)
		}
	}
}

func FuzzPrefix(f *testing.F) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 200 {
		f.Add(currentText(r) + prefixTails[r.IntN(len(prefixTails))])
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 300 {
			return // the definition takes quadratic time
		}
		checkPrefix(t, locator.RFC1738, s)
		checkPrefix(t, locator.Current, s)
	})
}

func BenchmarkPrefix(b *testing.B) {
	texts := good(webLike(), func(s string) error { _, err := locator.RFC1738.Parse(s); return err })
	for i, s := range texts {
		texts[i] = s + " and more text"
	}
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		b.Run(p.Name(), func(b *testing.B) {
			benchmarkParse(b, texts, func(s string) error { _, _, err := p.Prefix(s); return err })
		})
	}
}

// The error for a character that RFC 3987 does not allow names it, and does not ask for UTF-8.
func TestCharacterNotAllowed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"http://h/\U000E01EFx": "the character %F3%A0%87%AF is not allowed here",
		"http://h/\ufffe":      "the character %EF%BF%BE is not allowed here",
		"http://h/\xc3":        "expected the rest of a character in UTF-8, found the end of the URL",
	} {
		_, err := locator.Current.Parse(text)
		if e, ok := errors.AsType[*locator.SyntaxError](err); !ok || e.Msg != want {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
}
