package bnf

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func parseABNF(t testing.TB, text string) *Grammar {
	t.Helper()
	g, err := ParseABNF(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestParseABNF(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{" ; only a comment", ""},
		{`a = "x" / b ; c`, `a = "x" / b`},
		{"a = b\n  / c\r\nd=(e f)", "a = b / c\nd = ( e f )"},
		{`a = %s"x" %i"y" %x41-5a %d48 %b1.10`, `a = %s"x" %i"y" %x41-5a %d48 %b1.10`},
		{"a = *b 1*b *2b 1*2b 3b [b]", "a = *b 1*b *2b 1*2b 3b [ b ]"},
		{"a = b\na =/ c\na =/ d", "a = b / c / d"},
	} {
		if got := print(parseABNF(t, tt.text)); got != tt.want {
			t.Errorf("%q: got\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

func TestParseABNFErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a = <prose>":                        "no meaning",
		"a = 'x'":                            "no meaning",
		`a = ""`:                             "a string needs",
		"a = \"b":                            "a string needs",
		"a = %q41":                           "a value is",
		"a = %x":                             "a value is",
		"a = %x42-41":                        "a value is",
		"a = %xD800":                         "a value is",
		"a = %x110000":                       "a value is",
		"a = %x41-":                          "a value is",
		"a = b\na = c":                       "twice",
		"a =/ b":                             "not defined yet",
		"a = ( b":                            "closing bracket",
		"a = b )":                            "without an opening one",
		"a = [ b )":                          "closing bracket",
		"a =":                                "missing before it",
		"a = b / / c":                        "missing before it",
		"b c":                                "begins with its name",
		"a = 2*1b":                           "repetition",
		"a = 300b":                           "repetition",
		"a = 2*":                             "needs an element",
		"a = 2* 3b":                          "needs an element",
		"a = b\nb = c a":                     "leads back",
		"a = 255b\nb = 255c\nc = 255%x41.42": "too large",
		"a = " + strings.Repeat("(", 65):     "too many brackets",
	} {
		if _, err := ParseABNF(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: got %v, want %q", text, err, want)
		}
	}
}

func TestMatchABNF(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		grammar, input string
		ok             bool
		viable         int
	}{
		{`s = "aB"`, "Ab", true, 2},
		{`s = "a"`, "A", true, 1},
		{`s = %s"aB"`, "aB", true, 2},
		{`s = %s"aB"`, "ab", false, 1},
		{`s = %x61.42`, "aB", true, 2},
		{`s = %x61.42`, "ab", false, 1},
		{`s = %x61-63`, "c", true, 1},
		{`s = %x61-63`, "C", false, 0},
		{`s = *2"a"`, "aaa", false, 2},
		{`s = *2"a"`, "", true, 0},
		{`s = 1*3"a" "b"`, "ab", true, 2},
		{`s = 1*3"a" "b"`, "aaab", true, 4},
		{`s = 1*3"a" "b"`, "aaaab", false, 3},
		{`s = 1*3"a" "b"`, "b", false, 0},
		{`s = 2"a"`, "a", false, 1},
		{`s = 2"a"`, "aaa", false, 2},
		{`s = 2( "a" / "b" ) [ "c" ]`, "bac", true, 3},
		{`s = ALPHA DIGIT HEXDIG DQUOTE SP`, `z0f" `, true, 5},
		{"s = \"a\"\ns =/ \"b\"", "b", true, 1},
		{`s = 1*%xA0-D7FF`, "\u00a0é€\ud7ff", true, 10},
		{`s = %xE000-FFFD`, "\xee\x7f", false, 1},
		{`s = %x800-FFF`, "\xe0\x9f", false, 1},
		{`s = %x10000-1FFFD`, "\U0001FFFE", false, 3},
		{`s = %x7F-80`, "\u0080", true, 2},
		{`s = %x7F-80`, "\x7f", true, 1},
		{`s = 0"a"`, "", true, 0},
		{`s = *0"a"`, "a", false, 0},
	} {
		ok, viable := parseABNF(t, tt.grammar).Match("s", tt.input)
		if ok != tt.ok || viable != tt.viable {
			t.Errorf("%s on %q: got %v, %d, want %v, %d", tt.grammar, tt.input, ok, viable, tt.ok, tt.viable)
		}
	}
}

// A range of characters matches exactly the UTF-8 of each character in it.
func TestRanges(t *testing.T) {
	t.Parallel()
	r := newRand(11)
	edges := []rune{0, 1, 0x41, 0x7E, 0x7F, 0x80, 0xA0, 0x7FE, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFDCF, 0xFFFF, 0x10000, 0x1FFFD, 0x40000, utf8.MaxRune}
	for range 300 {
		low, high := edges[r.IntN(len(edges))], edges[r.IntN(len(edges))]
		if low > high || low < 0xD800 && high >= 0xE000 {
			continue
		}
		n := rangeNode(low, high)
		for range 50 {
			c := edges[r.IntN(len(edges))] + rune(r.IntN(5)) - 2
			if r.IntN(2) == 0 {
				c = rune(r.IntN(utf8.MaxRune + 1))
			}
			if !utf8.ValidRune(c) {
				continue
			}
			if got, want := ends(n, string(c)), low <= c && c <= high; got != want {
				t.Fatalf("%X in %X-%X: got %v", c, low, high, got)
			}
		}
	}
}

// Both matchers accept what the rules of the later RFCs generate, and agree on it.
func TestRFCs(t *testing.T) {
	t.Parallel()
	for number, rules := range map[int][]string{
		3986: {"URI", "URI-reference", "IPv6address", "authority", "path-empty"}, 3987: {"IRI", "ucschar"}, 5538: {"newsURL", "nntpURL"},
		2224: {"nfsURL"}, 6068: {"mailtoURI"}, 6270: {"tn3270-uri"}, 8089: {"file-URI"},
	} {
		g := RFC(number)
		r := newRand(12)
		for _, rule := range rules {
			for range 200 {
				s := g.Generate(rule, r, 30)
				if ok, viable := g.Match(rule, s); !ok || viable != len(s) {
					t.Fatalf("RFC %d %s: %q: got %v, %d", number, rule, s, ok, viable)
				}
				if len(s) < 60 {
					compare(t, g, rule, Mutate(r, s))
				}
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for RFC 1")
		}
	}()
	RFC(1)
}

func TestRFC3986Examples(t *testing.T) {
	t.Parallel()
	g := RFC(3986)
	for s, want := range map[string]bool{ // 1.1.2
		"ftp://ftp.is.co.za/rfc/rfc1808.txt": true, "http://www.ietf.org/rfc/rfc2396.txt": true, "ldap://[2001:db8::7]/c=GB?objectClass?one": true,
		"mailto:John.Doe@example.com": true, "news:comp.infosystems.www.servers.unix": true, "tel:+1-816-555-1212": true,
		"telnet://192.0.2.16:80/": true, "urn:oasis:names:specification:docbook:dtd:xml:4.1.2": true,
		"http://[v1.x]/": true, "http://[v.x]/": false, "1x:y": false, "x://a:b": false, "x:[": false, "x:é": false, "x:": true, "x://": true, "x:///": true,
	} {
		if ok, _ := g.Match("URI", s); ok != want {
			t.Errorf("%s: got %v", s, ok)
		}
	}
}

func FuzzParseABNF(f *testing.F) {
	f.Add("a = *2( \"b\" / %x41-5A ) [ 3c ]\nc = %s\"d\" ; e")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		g, err := ParseABNF(text)
		if err != nil {
			return
		}
		if again := parseABNF(t, print(g)); print(again) != print(g) {
			t.Errorf("%q is parsed again as a different grammar", text)
		}
	})
}
