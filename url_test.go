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

// The ASCII form is for programs that do not decode hosts: net/url reads the host there that is
// looked up.
//
// Covers: S21f, T207
func TestASCIIForNetURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://%67ood.example/%67?x#y":  "https://good.example/%67?x#y",
		"http://b%C3%BCcher.example/":     "http://xn--bcher-kva.example/",
		"http://bücher.example/ü":         "http://xn--bcher-kva.example/%C3%BC",
		"ftp://u%40x:p@%68.example:21/%C": "",
		"ftp://u%40x:p@%68.example:21/a":  "ftp://u%40x:p@h.example:21/a",
		"http://a~b.example/%7E":          "http://a~b.example/%7E",
		"http://a~%62.example/":           "http://a~b.example/",
		"x://%61b/c":                      "x://ab/c",
		"http://[::1]/%41":                "http://[::1]/%41",
		"file:///%41":                     "file:///%41",
		"mailto:a%40b":                    "mailto:a%40b",
	} {
		for _, p := range []*Parser{RFC1738, Current} {
			u, err := p.Parse(text)
			if err != nil {
				if want != "" && p == Current {
					t.Errorf("%s: %v", text, err)
				}
				continue
			}
			got := u.ASCII()
			if got.Text() != want || !Equal(got, u) || got.ASCII() != got {
				t.Errorf("the ASCII form of %s is %s, want %s", text, got.Text(), want)
			}
			std, err := url.Parse(got.Text())
			if err != nil {
				t.Errorf("net/url, %s: %v", got.Text(), err)
				continue
			}
			later, _ := u.readLater()
			if host := strings.ReplaceAll(later.ASCIIHost(), "%7E", "~"); strings.TrimSuffix(std.Host, ":"+std.Port()) != host {
				t.Errorf("%s has the host %s in net/url, want %s", got.Text(), std.Host, host)
			}
		}
	}
}

// Covers: S19
func TestJoinPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base     string
		segments []string
		want     string // "" for an error
	}{
		{"ftp://u@h/a;type=a", []string{"b"}, "ftp://u@h/a/b"},
		{"ftps://h", []string{"b", ""}, "ftps://h/b/"},
		{"http://h/a/?x#y", []string{"b/c"}, "http://h/a/b%2Fc"},
		{"http://h/a/", []string{"../c", "%2e%2e", "..."}, "http://h/a/..%2Fc/%252e%252e/..."},
		{"http://h/pub/", []string{"..", "etc"}, ""},
		{"ftp://h/pub/", []string{"a", ".."}, ""},
		{"file:///pub/", []string{"."}, ""},
		{"https://[::1]", []string{"b"}, "https://[::1]/b"},
		{"file:///a", []string{"b"}, "file:///a/b"},
		{"gopher://h/1a", []string{"b"}, ""},
		{"nfs://h/a/", []string{"b"}, ""},
		{"mailto:a@b", []string{"c"}, ""},
		{"gopher://h/1a", nil, "gopher://h/1a"},
	} {
		base, err := Current.Parse(c.base)
		if err != nil {
			t.Fatal(err)
		}
		got, err := base.JoinPath(c.segments...)
		if got.Text() != c.want || (err == nil) != (c.want != "") {
			t.Errorf("JoinPath(%q) of %s is %q, %v, want %q", c.segments, c.base, got.Text(), err, c.want)
		}
		if segments, ok := base.Segments(); ok != base.Hierarchical() {
			t.Errorf("Segments of %s: %q, %v", c.base, segments, ok)
		}
		if segments, _ := got.Segments(); err == nil && base.Hierarchical() && !slices.Equal(segments[max(0, len(segments)-len(c.segments)):], c.segments) {
			t.Errorf("Segments of %s are %q, and do not end in %q", got.Text(), segments, c.segments)
		}
		if _, ok := err.(*SyntaxError); err != nil && !ok {
			t.Errorf("%q below %s: %v", c.segments, c.base, err)
		}
	}
}
