package bnf

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// A urlTest is a text, its scheme, and the offset at which it goes wrong: -1 if it is valid,
// len(input) if it only ends too early.
type urlTest struct {
	input, scheme string
	offset        int
}

func urlTests() []urlTest {
	end := func(input, scheme string) urlTest { return urlTest{input, scheme, len(input)} }
	return []urlTest{
		// The scheme.
		end("", ""),
		end("http", ""),
		end("x-y.z+1", ""),
		{":", "", 0},
		{"://h/", "", 0},
		{"ht~p://h", "", 2},
		{"ht tp", "", 2},
		{" http://h/", "", 0},
		{"http//h/", "", 4},
		{"é:", "", 0},
		{"HTTP://h/", "http", -1},
		{"hTTp://h/", "http", -1},
		{"\u212a:", "", 0}, // a Kelvin sign is no K
		end("http:", "http"),
		end("http:/", "http"),
		end("http://", "http"),
		{"http:h", "http", 5},
		{"http:/h", "http", 6},
		{"HTTP:?", "http", 5},

		// Other schemes: genericurl.
		{"x:", "x", -1},
		{"X-Foo:", "x-foo", -1},
		{"3.+-:a", "3.+-", -1},
		{"x:~", "x", 2},
		{"x:a b", "x", 3},
		{"x:a#b", "x", 3},
		{"x:;/?:@&=$-_.+!*'(),%aF", "x", -1},
		{"x://h:port@:/", "x", -1}, // *xchar takes any part
		{"https://h/", "https", -1},
		{"https://[::1]/", "https", 8},
		{"httpx:", "httpx", -1},
		{"urn:a:b", "urn", -1},
		{"x:\x00", "x", 2},
		{"x:\xff", "x", 2},
		end("x:%", "x"),
		end("x:%4", "x"),
		{"x:%4g", "x", 4},
		{"x:%zz", "x", 3},
		{"x:%%41", "x", 3},

		// Hosts and ports.
		{"http://h", "http", -1},
		{"http:///", "http", 7},
		{"http://1.2.3.4", "http", -1},
		{"http://999.0.00.1", "http", -1}, // grammatical, no address
		end("http://1", "http"),
		end("http://1.2.3", "http"),
		{"http://1.2.3/", "http", 12},
		end("http://1.2.3.", "http"),
		{"http://1.2.3./", "http", 13},
		end("http://1.2.3.4.5", "http"), // .a may follow
		{"http://1.2.3.4.5/", "http", 16},
		{"http://1.2.3.4.a/", "http", -1},
		end("http://1.2.3.4-5", "http"),
		{"http://1.2.3.4-5/", "http", 16},
		{"http://1.2.3.a", "http", -1},
		{"http://1.2.3.4:80", "http", -1},
		{"http://1.2.3:", "http", 12},
		{"http://-a", "http", 7},
		{"http://.a", "http", 7},
		end("http://a-", "http"),
		{"http://a-/", "http", 9},
		{"http://a-.b", "http", 9},
		{"http://a--b", "http", -1},
		end("http://a.", "http"),
		{"http://a./", "http", 9},
		{"http://a..b", "http", 9},
		{"http://a.-b", "http", 9},
		end("http://a.1", "http"),
		{"http://a.1/", "http", 10},
		{"http://a.1b/", "http", 11},
		{"http://1b.c/", "http", -1},
		{"http://a_b/", "http", 8},
		{"http://%41/", "http", 7}, // no escapes in a host
		{"http://é/", "http", 7},
		{"http://[::1]/", "http", 7},
		end("http://h:", "http"),
		{"http://h:/", "http", 9},
		{"http://h:80/", "http", -1},
		{"http://h:99999", "http", -1}, // grammatical, no port
		{"http://h:8a", "http", 10},
		{"http://h:%38", "http", 9},
		{"http://h:-1", "http", 9},

		// http
		{"http://h?x", "http", 8}, // 3.3: no search without a path
		{"http://h/?x", "http", -1},
		{"http://h/?", "http", -1},
		{"http://h/a?b?c", "http", 12},
		{"http://h/a?b/c", "http", 12},
		{"http://h/;:@&=/%2f//", "http", -1},
		{"http://u@h/", "http", 8},
		{"http://u:p@h/", "http", 9},
		{"http://h/~x", "http", 9},
		{"http://h/a#b", "http", 10},
		{"http://h/a|b", "http", 10},
		end("http://h/%", "http"),
		end("http://h/%e", "http"),
		{"http://h/%E9", "http", -1},
		{"http://h/%u00e9", "http", 10},

		// ftp
		end("ftp://", "ftp"),
		{"ftp:///", "ftp", 6},
		{"ftp://h", "ftp", -1},
		{"ftp://h/", "ftp", -1},
		{"ftp://@host.com/", "ftp", -1},
		{"ftp://:@host.com/", "ftp", -1},
		{"ftp://foo:@host.com/", "ftp", -1},
		{"ftp://foo:bar@host.com/", "ftp", -1},
		{"ftp://u;?&=%40:p;?&=%3A@h/", "ftp", -1},
		end("ftp://foo:bar", "ftp"),
		{"ftp://foo:bar/", "ftp", 13},
		{"ftp://foo:21/", "ftp", -1},
		end("ftp://foo:21a", "ftp"), // a password still
		{"ftp://foo:21:", "ftp", 12},
		end("ftp://a-", "ftp"), // a user still
		{"ftp://a-/", "ftp", 8},
		{"ftp://a-@h/", "ftp", -1},
		end("ftp://1.2.3.4.5", "ftp"),
		{"ftp://1.2.3.4.5/", "ftp", 15},
		{"ftp://a@b@c", "ftp", 9},
		{"ftp://a:b:c@h", "ftp", 9},
		{"ftp://a/b@h", "ftp", -1}, // a host a, a file b@h
		{"ftp://host.dom/~x", "ftp", 15},
		{"ftp://host.dom/%7Ex", "ftp", -1},
		{"ftp://myname@host.dom/%2Fetc/motd", "ftp", -1},
		{"ftp://h//etc//", "ftp", -1},
		{"ftp://h/a?:@&=", "ftp", -1},
		end("ftp://h/a;", "ftp"),
		end("ftp://h/a;type=", "ftp"),
		{"ftp://h/a;b", "ftp", 10},
		{"ftp://h/;type=D", "ftp", -1},
		{"ftp://h/a;type=i", "ftp", -1},
		{"ftp://h/a;type=x", "ftp", 15},
		{"ftp://h/a;type=%61", "ftp", 15},
		{"ftp://h/a;TYPE=a", "ftp", 10},
		{"ftp://h/a;type=a/", "ftp", 16},
		end("ftp://h;type=a", "ftp"), // a user still
		{"ftp://h;type=a/", "ftp", 14},
		{"ftp://u p@h/", "ftp", 7},

		// file
		end("file://", "file"),
		{"file:///", "file", -1},
		{"file:///etc/motd", "file", -1},
		{"file://localhost/", "file", -1},
		end("file://localhost", "file"),
		{"file://LOCALHOST/", "file", -1},
		{"file://h:1/", "file", 8},
		{"file://h/a;b", "file", 10},
		{"file:/etc", "file", 6},
		{"file:///c|/", "file", 9},
		{"file:///c:/", "file", -1},

		// gopher
		{"gopher://h", "gopher", -1},
		{"gopher://h/", "gopher", -1}, // erratum 5118
		{"gopher://h/1", "gopher", -1},
		{"gopher://h/7a%09b%09+c", "gopher", -1},
		{"gopher://h/;", "gopher", -1},
		{"gopher://h/%37", "gopher", -1},
		end("gopher://h/%3", "gopher"),
		{"gopher://h/1a\tb", "gopher", 13},
		{"gopher://h1", "gopher", -1},
		{"gopher://h?1", "gopher", 10},
		{"gopher://u@h/", "gopher", 10},

		// mailto
		end("mailto:", "mailto"),
		{"mailto:a", "mailto", -1},
		{"mailto:a@b", "mailto", -1},
		{"mailto:gorby%25kremvax@example.com", "mailto", -1},
		{"mailto:a b@c", "mailto", 8},
		{"mailto://", "mailto", -1},
		{"MailTo:<a@b>", "mailto", 7},

		// news
		end("news:", "news"),
		{"news:*", "news", -1},
		end("news:**", "news"), // an article still
		{"news:*@h", "news", -1},
		{"news:comp.lang.c", "news", -1},
		end("news:comp.lang.c/x", "news"), // an article still
		{"news:comp.lang.c/x@h", "news", -1},
		{"news:alt.x_y+z-", "news", -1},
		end("news:1x", "news"), // a group begins with a letter
		end("news:x!", "news"),
		end("news:a@", "news"),
		{"news:@h", "news", 5},
		{"news:a@b@c", "news", 8},
		{"news:a@b/", "news", 8},
		{"news:a@h:1", "news", 8},
		{"news:a@1.2.3.4", "news", -1},
		{"news:<a@h>", "news", 5},

		// nntp
		end("nntp://h", "nntp"),
		end("nntp://h/", "nntp"),
		{"nntp://h/g", "nntp", -1},
		end("nntp://h/g/", "nntp"),
		{"nntp://h/g/12", "nntp", -1},
		{"nntp://h/g/12/", "nntp", 13},
		{"nntp://h/g/x", "nntp", 11},
		{"nntp://h/1", "nntp", 9},
		{"nntp://h:119/a%2e", "nntp", 14},

		// telnet
		{"telnet://h", "telnet", -1},
		{"telnet://u:p@h:23/", "telnet", -1},
		{"telnet://h//", "telnet", 11},
		{"telnet://h/x", "telnet", 11},

		// wais
		end("wais://h", "wais"),
		{"wais://h/", "wais", -1},
		{"wais://h/d", "wais", -1},
		{"wais://h/d?", "wais", -1},
		{"wais://h/d?a&b=c", "wais", -1},
		{"wais://h/d?a/b", "wais", 12},
		end("wais://h/d/", "wais"),
		end("wais://h/d/t", "wais"),
		{"wais://h/d/t/", "wais", -1},
		{"wais://h/d/t/p", "wais", -1},
		{"wais://h/d/t/p/q", "wais", 14},
		{"wais://h/d/t?", "wais", 12},
		{"wais://h/d/t/p=1;", "wais", 14},

		// prospero
		end("prospero://h", "prospero"),
		{"prospero://h/", "prospero", -1},
		{"prospero://h//p?:@&=", "prospero", -1},
		end("prospero://h/p;", "prospero"),
		end("prospero://h/p;f", "prospero"),
		{"prospero://h/p;=", "prospero", -1},
		{"prospero://h/p;f=v;g=w", "prospero", -1},
		{"prospero://h/p;f=v=", "prospero", 18},
		{"prospero://h/p;f=v/", "prospero", 18},
		{"prospero://h/p;f/", "prospero", 16},
		{"prospero://h/p;;", "prospero", 15},
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	for _, tt := range urlTests() {
		want := tt.offset
		if want < 0 {
			want = len(tt.input)
		}
		scheme, ok, offset := URL(tt.input)
		if scheme != tt.scheme || ok != (tt.offset < 0) || offset != want {
			t.Errorf("URL(%q): got %q, %v, %d, want %q, %v, %d", tt.input, scheme, ok, offset, tt.scheme, tt.offset < 0, want)
		}
	}
}

// The schemes are those of the production url, and each has its rule.
func TestSchemes(t *testing.T) {
	t.Parallel()
	g := RFC1738()
	var rules []string
	for _, s := range Schemes() {
		rules = append(rules, RuleOf(s))
	}
	r, _ := g.Rule("url")
	want := strings.Split(r.Text, " | ")
	if !slices.Contains(want, "otherurl") || RuleOf("other") != "genericurl" {
		t.Error("other schemes have no rule")
	}
	want = slices.DeleteFunc(want, func(s string) bool { return s == "otherurl" })
	slices.Sort(want)
	slices.Sort(rules)
	if !slices.Equal(rules, want) {
		t.Errorf("got %v, want %v", rules, want)
	}
}

// RandomURL returns valid URLs of all eleven kinds.
func TestRandomURL(t *testing.T) {
	t.Parallel()
	r := newRand(11)
	seen := map[string]int{}
	for range 5000 {
		s := RandomURL(r, 30)
		scheme, ok, offset := URL(s)
		if !ok || offset != len(s) {
			t.Fatalf("%q: %v, %d", s, ok, offset)
		}
		if !slices.Contains(Schemes(), scheme) {
			scheme = "other"
		}
		seen[scheme]++
	}
	for _, s := range append(Schemes(), "other") {
		if seen[s] < 200 {
			t.Errorf("%s: %d of 5000", s, seen[s])
		}
	}
}

// FuzzURL checks that the text before the offset is viable, and is not with the byte at the offset.
func FuzzURL(f *testing.F) {
	for _, tt := range urlTests() {
		f.Add(tt.input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		scheme, ok, offset := URL(input)
		if ok && (offset != len(input) || scheme == "") {
			t.Errorf("URL(%q): ok with %q, %d", input, scheme, offset)
		}
		if offset < len(input) {
			_, ok, again := URL(input[:offset+1])
			if ok || again != offset {
				t.Errorf("URL(%q): offset %d; of its start: %v, %d", input, offset, ok, again)
			}
		}
		if _, _, again := URL(input[:offset]); again != offset {
			t.Errorf("URL(%q): the first %d are viable only up to %d", input, offset, again)
		}
	})
}

var vectorFile = flag.String("vectors", "", "a file of JSON lines {\"url\":..., \"rfc1738\":bool} to judge as well")

// A vector is a text and the verdict on it.
type vector struct {
	URL     string `json:"url"`
	RFC1738 bool   `json:"rfc1738"`
}

// judge compares the verdicts of a file of vectors with those of URL. It returns how many agree,
// and a line for each that does not.
func judge(r io.Reader) (agree int, differ []string, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		var v vector
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			return agree, differ, fmt.Errorf("line %d: %w", line, err)
		}
		if _, ok, offset := URL(v.URL); ok != v.RFC1738 {
			differ = append(differ, fmt.Sprintf("line %d: %q: got %v, offset %d", line, v.URL, ok, offset))
		} else {
			agree++
		}
	}
	return agree, differ, in.Err()
}

func TestVectors(t *testing.T) {
	t.Parallel()
	own := `{"url": "HTTP://H/%41", "rfc1738": true}
{"url": "http://h/\u00e9", "rfc1738": false}
{"url": "x-a:b", "rfc1738": false}
{"url": "file:///", "rfc1738": true}
`
	agree, differ, err := judge(strings.NewReader(own))
	if agree != 3 || len(differ) != 1 || differ[0] != `line 3: "x-a:b": got true, offset 5` || err != nil {
		t.Errorf("got %d, %q, %v", agree, differ, err)
	}
	if _, _, err := judge(strings.NewReader("{}\n{")); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("half a line: got %v", err)
	}
	if *vectorFile == "" {
		return
	}
	f, err := os.Open(*vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	agree, differ, err = judge(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d agree, %d differ", agree, len(differ))
	for _, d := range differ {
		t.Error(d)
	}
}
