package locator

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"": "", "a": "a", "%41": "A", "a%2fb%2F": "a/b/", "%00%fF": "\x00\xff", "%2541": "%41", "%%41%4": "%A%4", "%": "%", "%zz": "%zz",
	} {
		if got := Decode(s); got != want {
			t.Errorf("Decode(%q) is %q", s, got)
		}
	}
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, url string
		cut       int
	}{
		{"ftp://h/", "ftp://h/", 0},
		{"URL:ftp://h/", "ftp://h/", 4},
		{"uRl:ftp://h/", "ftp://h/", 4},
		{"<URL:ftp://h/>", "ftp://h/", 5},
		{"<url:ftp://h/#a>", "ftp://h/#a", 5},
		{"URL:x", "x", 4}, // no scheme named url
		{"URL:", "", 4},
		{"<URL:>", "", 5},
		{"URL:URL:x", "URL:x", 4},
		{"<URL:ftp://h/", "<URL:ftp://h/", 0},
		{"URL:ftp://h/>", "ftp://h/>", 4},
		{"<ftp://h/>", "<ftp://h/>", 0},
		{"URL", "URL", 0},
		{"<", "<", 0},
		{"", "", 0},
	} {
		if url, cut := Unwrap(c.text); url != c.url || cut != c.cut || !strings.HasPrefix(c.text[cut:], url) {
			t.Errorf("Unwrap(%q) is %q, %d", c.text, url, cut)
		}
	}
}

func TestDecodeStrict(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"": -1, "a%2fb%2541": -1, "%zz": 0, "a%4": 1, "%41%": 3, "%%41": 0} {
		got, err := DecodeStrict(s)
		if want < 0 {
			if err != nil || got != Decode(s) {
				t.Errorf("%q: %q, %v", s, got, err)
			}
			continue
		}
		if e, ok := err.(*SyntaxError); !ok || e.Offset != want || got != "" {
			t.Errorf("%q: %q, %v; want an error at %d", s, got, err, want)
		}
	}
}

// Covers: S17
func TestQuery(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Pair{
		"http://h/?q=red+wine&n=3&q=": {{"q", "red wine"}, {"n", "3"}, {"q", ""}},
		"http://h/?a%26b=%3d=+%2b&&x": {{"a&b", "== +"}, {"x", ""}},
		"http://h/?":                  nil, "http://h/": nil, "ftp://h/?a=b": nil, "mailto:a@b?subject=c": nil,
		"https://h?=é": {{"", "é"}},
	} {
		u, err := Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Query(); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", text, got, want)
		}
	}
	u := MustParse("http://h/?q=a&q=b")
	if v, ok := u.QueryValue("q"); v != "a" || !ok {
		t.Errorf("%q, %v", v, ok)
	}
	if v, ok := u.QueryValue("x"); v != "" || ok {
		t.Errorf("%q, %v", v, ok)
	}
	r := rand.New(rand.NewPCG(1738, 0))
	octets := func() string {
		b := make([]byte, r.IntN(5))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return string(b)
	}
	for range 10_000 {
		params := make([]Pair, 1+r.IntN(3))
		for i := range params {
			params[i] = Pair{octets(), octets()}
		}
		v, err := MustParse("http://h/a?b").WithQuery(params...)
		if err != nil || !slices.Equal(v.Query(), params) {
			t.Fatalf("%q becomes %q, %v", params, v.Query(), err)
		}
		if std, err := url.Parse(v.Text()); err != nil || std.Query().Get(params[0].Name) != params[0].Value {
			t.Fatalf("net/url finds %q in %q, %v", std.Query(), v.Text(), err)
		}
		s := octets()
		if d, err := DecodeStrict(Encode(s)); d != s || err != nil || Decode(Encode(s)) != s {
			t.Fatalf("%q is encoded as %q", s, Encode(s))
		}
	}
}
