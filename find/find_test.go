package find

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// texts returns the URLs of a text with their forms: "bare http://h/".
func texts(f *Finder, text string) []string {
	var list []string
	for u := range f.All(text) {
		list = append(list, u.Form.String()+" "+u.Text())
	}
	return list
}

// checkTexts compares the URLs of texts, as texts has them, with those that are wanted.
func checkTexts(t *testing.T, wanted map[string]string) {
	t.Helper()
	for text, want := range wanted {
		if got := strings.Join(texts(&Finder{}, text), ", "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The wrappers of RFC 1738: white space goes, the fragment stays.
//
// Covers: F1
func TestWrappers(t *testing.T) {
	t.Parallel()
	checkTexts(t, map[string]string{
		"under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d> but":      "wrapped ftp://info.cern.ch/pub/www/doc;type=d",
		"from <URL:ftp://ds.in\r\n      ternic.net/rfc>.":                    "wrapped ftp://ds.internic.net/rfc",
		"<url:http://ds.internic.\n net/instructions/overview.html#WARNING>": "wrapped http://ds.internic.net/instructions/overview.html#WARNING",
		"<URL: http://h/a b\tc >":                                            "wrapped http://h/abc",
		"<Url:mailto:me@h>":                                                  "wrapped mailto:me@h",
		"<URL:x-foo:> <URL:http:>":                                           "wrapped x-foo:",
		"<URL:x-foo:bar|baz>":                                                "wrapped x-foo:bar|baz",
		"<URL:http://h/never closed":                                         "prefixed http://h/never",
		"<URL:http://h/a <URL:http://h/b>":                                   "prefixed http://h/a, wrapped http://h/b",
		"<URL:http://h/\xc3\xbc>":                                            "wrapped http://h/\xc3\xbc",
		"<URL:...> <URL:> <URL> <URL:http:> <URL:/x> <URL:-:x>":              "",
		"<URL:http://h/a>b<URL:http://h/c>":                                  "wrapped http://h/a, wrapped http://h/c",
		"<<URL:http://h/a>>":                                                 "wrapped http://h/a",
	})
}

// Covers: F2
func TestHyphens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<URL:http://h/a-\n  b>":          "http://h/a-b http://h/ab",
		"<URL:http://h/a- \n b-\n c#d>":   "http://h/a-b-c#d http://h/ab-c#d http://h/a-bc#d http://h/abc#d",
		"<URL:http://h/a- b>":             "http://h/a-b",
		"<http://h/a-\nb>":                "http://h/a-b http://h/ab",
		"<URL:http://h/-\n-\n-\n-\n-\nb>": "http://h/-----b http://h/b",
		"<URL:http://h/a-b>":              "http://h/a-b",
		"<URL:http://h/a#b-\nc>":          "http://h/a#b-c http://h/a#bc",
	} {
		for u := range new(Finder).All(text) {
			if got := strings.Join(append([]string{u.Text()}, u.Alternatives...), " "); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

// Covers: F3
func TestPrefixesAndBrackets(t *testing.T) {
	t.Parallel()
	checkTexts(t, map[string]string{
		"at URL:http://h/a, or":                     "prefixed http://h/a",
		"(url:news:comp.lang.c)":                    "bare news:comp.lang.c",
		"URL: http://h/":                            "prefixed http://h/",
		"curl:http://h/":                            "bare http://h/",
		"<ftp://h/a>":                               "angled ftp://h/a",
		"<http://h/a\n   b#c>":                      "angled http://h/ab#c",
		"<http://h/a b>":                            "bare http://h/a",
		"<http:\n//h/a> <http: \r\n\t//h/b>":        "angled http://h/a, angled http://h/b",
		"<mailto:\nme@h> <news:\na.b>":              "angled mailto:me@h, angled news:a.b",
		"http:\n//h/a <http: //h/a> <http:\n\n//h>": "",
		"<irc://h/a> irc://h/a":                     "angled irc://h/a",
		"<a href=\"http://h/a\">x</a>":              "bare http://h/a",
		"#include <iostream> <std::x> <x:y>":        "",
		"\"http://h/a\" 'http://h/b' `http://h/c`":  "bare http://h/a, bare http://h/b, bare http://h/c",
		"if a <http://h/ then b> c":                 "bare http://h/",
	})
}

// Covers: F4
func TestBare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"See http://h/a.":               "bare http://h/a",
		"(http://h/a_(b)) http://h/c(d": "bare http://h/a_(b), bare http://h/c",
		"news:comp.* **news:comp.lang.*** news:comp.lang.c* http://h/*.*":     "bare news:comp.*, bare news:comp.lang, bare news:comp.lang.c, bare http://h/",
		"http://h/a,http://h/b;ftp://h/c":                                     "bare http://h/a, bare http://h/b, bare ftp://h/c",
		"http://h/?a=1,2;b http://h/x/http://i/":                              "bare http://h/?a=1,2;b, bare http://h/x/http://i/",
		"news:comp.lang.c, news:1@h.dom! mailto:me@h.":                        "bare news:comp.lang.c, bare news:1@h.dom, bare mailto:me@h",
		"mid:1@h cid:2@h nntp://h/g/1 file:///etc/motd telnet://h/ HTTP://H/": "bare mid:1@h, bare cid:2@h, bare nntp://h/g/1, bare file:///etc/motd, bare telnet://h/, bare HTTP://H/",
		"Makefile:13 std::x 12:30 note: this HTTP::Request file: not news: today mailto: me news:today http: http:// http://. file:/ mailto:me": "",
		"http://h/\xe3\x80\x82x http://h/&gt; *http://h/* http://h/%zz":                                                                         "bare http://h/, bare http://h/, bare http://h/, bare http://h/",
		`"a\nhttp://h/" xhttp://h/ x+http://h/ \fIhttp://h/i\fR \(lqmailto:me@h\(rq ` + "\x1b[1;31mhttp://h/c\x1b[m":                            "bare http://h/, bare http://h/i, bare mailto:me@h, bare http://h/c",
		"http://h/'s http://h's 'http://h/a'b http://h/a=>http://h/b-> <!--http://h/c--> //http://h/d// +--http://h/e--+":                       "bare http://h/, bare http://h, bare http://h/a, bare http://h/a, bare http://h/b, bare http://h/c, bare http://h/d, bare http://h/e",
		"http://h/?a&amp; http://h/&quot; http://h/?a&lt=b URL:http://h/a,URL:http://h/b X-URL: http://h/":                                      "bare http://h/?a, bare http://h/, bare http://h/?a&lt=b, prefixed http://h/a, prefixed http://h/b, bare http://h/",
		"news:* **news:*** (+http://h/) see.http://h/ x-news:comp.lang.c -news:comp.lang.c news:junk mailto:?subject=a mailto:a@":               "bare news:*, bare http://h/, bare http://h/, bare news:comp.lang.c, bare mailto:?subject=a",
		"http://u:p@h:1/ http://[::1]/a] http://h:x/ z39.50r://h/d tn3270://h ftps://h/ file:///":                                               "bare http://u:p@h:1/, bare http://[::1]/a, bare z39.50r://h/d, bare tn3270://h, bare ftps://h/, bare file:///",
		"$<$http://h/a$>$ `+http://h/b+` @http://h/c@, (=http://h/d=) url=http://h/?e= ?u=http://h/f=":                                          "bare http://h/a, bare http://h/b, bare http://h/c, bare http://h/d=, bare http://h/?e=, bare http://h/f=",
		"=http://h/a=, =http://h/b=: curl http://h/c& http://h/?d&e=f& news:1.4.2 news:24h.x news:alt.2600 news:*:9:13:news:/x":                 "bare http://h/a, bare http://h/b, bare http://h/c, bare http://h/?d&e=f, bare news:24h.x, bare news:alt.2600",
		"http:///x http://; http://* mailto:@h cid:a news:.a gopher:h //h/":                                                                     "",
	} {
		if got := strings.Join(texts(&Finder{}, text), ", "); got != want {
			t.Errorf("%q:\n got %q,\nwant %q", text, got, want)
		}
	}
	if got := strings.Join(texts(&Finder{IRI: true}, "«http://h/é» http://h/路径。然后"), ", "); got != "bare http://h/é, bare http://h/路径" {
		t.Error(got)
	}
}

// In text with marks of quoting or comment, the marks at the beginnings of lines are not part of a
// URL.
//
// Covers: F1
func TestLeaders(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"> <URL:http://h/\n> a/b>", "> > <URL:http://h/\n>> a/b>", ">> x\n> <URL:http://h/\n>a/b>", ">|> <URL:http://h/\n>|> a/b>", "> <URL:http://h/a/b\n> >", "> <URL:http://h/a/b\n>>",
		"JD> <URL:http://h/\nJD> a/b>", ": <URL:http://h/\n: a/b>", "> <URL:http://h/\na/b>",
		"# <URL:http://h/\n# a/b>", "x := 1 // see <URL:http://h/\r\n   // a/b>", "/* <URL:http://h/\n * a/b> */", "/** <URL:http://h/a\n * /b>", ";; <URL:http://h/\n;; a/b>",
		"-- <URL:http://h/\n-- a/b>", " | x | <URL:http://h/\n | a/b>", "dnl <URL:http://h/\ndnl a/b>", "REM <URL:http://h/\nREM a/b>", "% <URL:http://h/\n%\n% a/b>",
		"# > <URL:http://h/\n# a/b>", "<URL:http://h/\n\n  a/b>", "<\nhttp://h/a/b>", "< URL:http://h/a/b>", "<URL:\nhttp://h/\f\va/b>", "<URL:http://h/a\u00AD\n/b>",
		"<URL:http://h/\n\n\nLee        [Page 7]\n\f\nRFC 1          Title          May 1994\n\n\n   a/b>", "<URL:http://h/\nLee  [Page 7]\nRFC 1   Title  May 1994\na/b>",
		"<http://h/\n\nLee        [Page 7]\n\fTitle\n\n   a/b>",
	} {
		found := slices.Collect(new(Finder).All(text))
		if len(found) != 1 || found[0].URL != "http://h/a/b" || found[0].Alternatives != nil {
			t.Errorf("%q: got %+v", text, found)
		}
	}
	checkTexts(t, map[string]string{
		"an <a file> and <URL:http://h/\nfile>":            "wrapped http://h/file", // no mark of quoting
		"> JD> see <URL:http://h/\n> JD> a>":               "wrapped http://h/a",
		"<URL:http://h/\n# a>":                             "wrapped http://h/#a", // not in the first line
		"# <URL:http://h/\n#a>":                            "wrapped http://h/#a", // no blank after it
		"// <URL:http://h\n//a>":                           "wrapped http://h//a",
		"<URL:http://h/a\n> b>":                            "wrapped http://h/a",
		"<URL:http://h/a\n\n\nb>":                          "prefixed http://h/a", // two lines without text
		"<http://h/a\n\nb>":                                "bare http://h/a",
		strings.Repeat("# ", 200) + "<URL:http://h/\n# a>": "wrapped http://h/#a", // too far away
	})
}

// The appendix of RFC 1738 has three examples, and its references 16 URLs, each of which is found
// whole.
//
// Covers: F1
func TestAppendix(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/rfc1738-appendix.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(`ftp://info.cern.ch/pub/www/doc;type=d ftp://ds.internic.net/rfc http://ds.internic.net/instructions/overview.html#WARNING
		ftp://ds.internic.net/rfc/rfc1436.txt;type=a ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt ftp://ds.internic.net/rfc/rfc1630.txt
		ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z ftp://ds.internic.net/rfc/rfc1123.txt ftp://ds.internic.net/rfc/rfc822.txt
		ftp://quake.think.com/pub/wais/doc/protspec.txt ftp://ds.internic.net/rfc/rfc1036.txt ftp://quake.think.com/pub/wais/doc/doc-ids.txt
		ftp://ds.internic.net/rfc/rfc977.txt ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt ftp://ds.internic.net/rfc/rfc1034.txt
		ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z ftp://ds.internic.net/rfc/rfc959.txt ftp://ds.internic.net/rfc/rfc1737.txt
		ftp://ds.internic.net/rfc/rfc1625.txt ftp://uu.psi.com/wp/nir.txt`)
	var got []string
	for u := range new(Finder).All(string(text)) {
		if u.Form != Wrapped || u.Alternatives != nil {
			t.Errorf("%+v", u)
		}
		got = append(got, u.Text())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A form that is too long is reported, and what follows is found.
//
// Covers: F5
func TestTooLong(t *testing.T) {
	t.Parallel()
	f := Finder{MaxWrapper: 1000, Web: true}
	long := strings.Repeat("a", 2000)
	for text, want := range map[string]string{
		"<URL:http://h/a b" + strings.Repeat(" c", 1000) + "> http://h/c": "wrapped http://h/a 15 true, bare http://h/c 10 false",
		"<URL:http://h/" + long + "> http://h/c":                          "wrapped http://h/" + long[:986] + " 1000 true, bare http://h/c 10 false",
		"http://h/" + long + " http://h/c":                                "bare http://h/" + long[:991] + " 1000 true, bare http://h/c 10 false",
		"URL:http://h/" + long + " http://h/c":                            "prefixed http://h/" + long[:987] + " 1000 true, bare http://h/c 10 false",
		"www.h.dom/" + long + " http://h/c":                               "bare http://www.h.dom/" + long[:990] + " 1000 true, bare http://h/c 10 false",
		"<http://h/" + long + "> http://h/c":                              "bare http://h/" + long[:991] + " 1000 true, bare http://h/c 10 false",
		"http://h/" + long[:991] + " http://h/c":                          "bare http://h/" + long[:991] + " 1000 false, bare http://h/c 10 false",
		"<URL:http://h/" + long[:985] + "> http://h/c":                    "wrapped http://h/" + long[:985] + " 1000 false, bare http://h/c 10 false",
		"<URL:" + strings.Repeat(" ", 2000) + "> http://h/c":              "bare http://h/c 10 false",
		"<URL:x" + long + ":> http://h/c":                                 "bare http://h/c 10 false",
	} {
		var list []string
		for u := range f.All(text) {
			list = append(list, fmt.Sprint(u.Form, " ", u.Text(), " ", u.Length, " ", u.TooLong))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%.50q:\n got %.30q %d,\nwant %.30q %d", text, got, len(got), want, len(want))
		}
	}
}

// The options Web and Mail find names and addresses.
//
// Covers: F4
func TestWebAndMail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"www.a.dom,www.b.dom/x;WWW.c.dom,w":                                       "bare http://www.a.dom, bare http://www.b.dom/x, bare http://WWW.c.dom",
		"see www.example.org, WWW.a.dom/c?d#e (Www.h.dom)":                        "bare http://www.example.org, bare http://WWW.a.dom/c?d#e, bare http://Www.h.dom",
		"awww.a.b /www.a.b x.www.a.b www.a www..b www.a.1 http://www.a.b ww.":     "bare http://www.a.b",
		"me@host.dom, <a.b+c@h.example.org>. x=y@h.dom mailto:you@h.dom":          "bare mailto:me@host.dom, bare mailto:a.b+c@h.example.org, bare mailto:y@h.dom, bare mailto:you@h.dom",
		"ssh://git@h.dom a@b @h.dom a@ a@b@c.dom a@h.1 a@-h.dom é@h.dom a@h.dom_": "",
		"<me@h.dom> .me@h.dom. http://u@h.dom/":                                   "bare mailto:me@h.dom, bare mailto:me@h.dom, bare http://u@h.dom/",
	} {
		if got := strings.Join(texts(&Finder{Web: true, Mail: true}, text), ", "); got != want {
			t.Errorf("%q:\n got %q,\nwant %q", text, got, want)
		}
		if strings.Contains(strings.Join(texts(&Finder{}, text), " "), "www") && !strings.Contains(text, "//www") {
			t.Errorf("%q: found without the option", text)
		}
	}
	if got := texts(&Finder{Web: true, IRI: true}, "www.bücher.example/ü"); len(got) != 1 || got[0] != "bare http://www.bücher.example/ü" {
		t.Error(got)
	}
}

// The search allocates nothing for a URL, unless its parts must be joined. In bytes, many URLs
// share an allocation.
func TestAllocations(t *testing.T) {
	text := strings.Repeat("a: b::c http://h.dom/a?b=c&d (ftp://h/b). <URL:news:comp.lang.c> <gopher://h/1> URL:mailto:me@h.dom#x\n", 100)
	var f Finder
	count := 0
	if n := testing.AllocsPerRun(10, func() {
		for range f.All(text) {
			count++
		}
	}); n > 10 {
		t.Errorf("All: %v allocations for 500 URLs", n)
	}
	if n := testing.AllocsPerRun(10, func() {
		for range f.Bytes([]byte(text)) {
			count++
		}
	}); n > 25 {
		t.Errorf("Bytes: %v allocations for 500 URLs", n)
	}
	if count < 1000*10 {
		t.Errorf("%d URLs", count)
	}
}

// Without lines, everything else is the same.
func TestNoLines(t *testing.T) {
	t.Parallel()
	text := "a\nhttp://h/\n http://h/b"
	want := slices.Collect(new(Finder).All(text))
	for i := range want {
		want[i].Line, want[i].Column = 0, 0
	}
	f := Finder{NoLines: true}
	if got := slices.Collect(f.All(text)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := slices.Collect(f.Bytes([]byte(text))); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The finds of Bytes do not change with the bytes.
func TestBytesCopies(t *testing.T) {
	t.Parallel()
	text := []byte("http://h/a#b <URL:http://h/c\nd>")
	found := slices.Collect(new(Finder).Bytes(text))
	clear(text)
	if found[0].Text() != "http://h/a#b" || found[1].Text() != "http://h/cd" {
		t.Errorf("%+v", found)
	}
}
