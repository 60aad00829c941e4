package find

import (
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

// The wrappers of RFC 1738: white space goes, the fragment stays.
//
// Covers: F1
func TestWrappers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d> but":      "wrapped ftp://info.cern.ch/pub/www/doc;type=d",
		"from <URL:ftp://ds.in\r\n      ternic.net/rfc>.":                    "wrapped ftp://ds.internic.net/rfc",
		"<url:http://ds.internic.\n net/instructions/overview.html#WARNING>": "wrapped http://ds.internic.net/instructions/overview.html#WARNING",
		"<URL: http://h/a b\tc >":                                            "wrapped http://h/abc",
		"<Url:mailto:me@h>":                                                  "wrapped mailto:me@h",
		"<URL:x-foo:bar|baz>":                                                "wrapped x-foo:bar|baz",
		"<URL:http://h/never closed":                                         "prefixed http://h/never",
		"<URL:http://h/a <URL:http://h/b>":                                   "prefixed http://h/a, wrapped http://h/b",
		"<URL:http://h/\xc3\xbc>":                                            "wrapped http://h/\xc3\xbc",
		"<URL:...> <URL:> <URL> <URL:http:> <URL:/x> <URL:-:x>":              "",
		"<URL:http://h/a>b<URL:http://h/c>":                                  "wrapped http://h/a, wrapped http://h/c",
		"<<URL:http://h/a>>":                                                 "wrapped http://h/a",
	} {
		if got := strings.Join(texts(&Finder{}, text), ", "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
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
	for text, want := range map[string]string{
		"at URL:http://h/a, or":                    "prefixed http://h/a",
		"(url:news:comp.lang.c)":                   "bare news:comp.lang.c",
		"URL: http://h/":                           "prefixed http://h/",
		"curl:http://h/":                           "bare http://h/",
		"<ftp://h/a>":                              "angled ftp://h/a",
		"<http://h/a\n   b#c>":                     "angled http://h/ab#c",
		"<http://h/a b>":                           "bare http://h/a",
		"<irc://h/a> irc://h/a":                    "angled irc://h/a",
		"<a href=\"http://h/a\">x</a>":             "bare http://h/a",
		"#include <iostream> <std::x> <x:y>":       "",
		"\"http://h/a\" 'http://h/b' `http://h/c`": "bare http://h/a, bare http://h/b, bare http://h/c",
		"if a <http://h/ then b> c":                "bare http://h/",
	} {
		if got := strings.Join(texts(&Finder{}, text), ", "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Covers: F4
func TestBare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"See http://h/a.":                                                     "bare http://h/a",
		"(http://h/a_(b)) http://h/c(d":                                       "bare http://h/a_(b), bare http://h/c",
		"http://h/a,http://h/b;ftp://h/c":                                     "bare http://h/a, bare http://h/b, bare ftp://h/c",
		"http://h/?a=1,2;b http://h/x/http://i/":                              "bare http://h/?a=1,2;b, bare http://h/x/http://i/",
		"news:comp.lang.c, news:1@h.dom! mailto:me@h.":                        "bare news:comp.lang.c, bare news:1@h.dom, bare mailto:me@h",
		"mid:1@h cid:2@h nntp://h/g/1 file:///etc/motd telnet://h/ HTTP://H/": "bare mid:1@h, bare cid:2@h, bare nntp://h/g/1, bare file:///etc/motd, bare telnet://h/, bare HTTP://H/",
		"Makefile:13 std::x 12:30 note: this HTTP::Request file: not news: today mailto: me news:today http: http:// http://. file:/ mailto:me": "",
		"http://h/\xe3\x80\x82x http://h/&gt; *http://h/* http://h/%zz":                                                                         "bare http://h/, bare http://h/, bare http://h/, bare http://h/",
		`"a\nhttp://h/" xhttp://h/ x+http://h/`:                                                                                                 "bare http://h/",
	} {
		if got := strings.Join(texts(&Finder{}, text), ", "); got != want {
			t.Errorf("%q:\n got %q,\nwant %q", text, got, want)
		}
	}
	if got := strings.Join(texts(&Finder{IRI: true}, "«http://h/é» http://h/路径。然后"), ", "); got != "bare http://h/é, bare http://h/路径" {
		t.Error(got)
	}
}
