package robots

import (
	"strings"
	"testing"
)

func TestAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, path, want string }{
		// RFC 9309 5.1: a simple example
		{"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n", "/publications/a", "yes"},
		{"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n", "/example/a", "no"},
		{"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n", "/a.gif", "no"},
		{"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n", "/a.gif?x", "yes"},
		// RFC 9309 5.2: the longest match
		{"User-Agent: locator\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "/example/page/disallowed.gif", "no"},
		{"User-Agent: locator\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "/example/page/a.gif", "yes"},
		{"User-agent: *\nDisallow: /a\nAllow: /a\n", "/a", "yes"}, // the same length
		{"User-agent: *\nAllow: /a\nDisallow: /a\n", "/a", "yes"},
		// groups
		{"", "/a", "yes"},
		{"User-agent: *\nDisallow: /\n", "/a", "no"},
		{"User-agent: *\nDisallow: /\n", "/robots.txt", "yes"},
		{"User-agent: other\nDisallow: /\n", "/a", "yes"},
		{"User-agent: other\nUser-agent: LOCATOR/1.0 (x)\nDisallow: /\n", "/a", "no"},
		{"User-agent: locator\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "/a", "yes"}, // an empty group counts
		{"User-agent: *\nDisallow: /\nUser-agent: locator\nDisallow: /b\n", "/a", "yes"},
		{"User-agent: locator\nDisallow: /b\nUser-agent: x\nDisallow: /c\nUser-agent: locator\nDisallow: /a\n", "/a", "no"}, // combined
		{"User-agent: locator\nSitemap: http://h/x\nUser-agent: x\nDisallow: /a\n", "/a", "no"},                             // other lines do not end a group
		{"User-agent: locatorx\nDisallow: /a\n", "/a", "yes"},
		{"User-agent: \nDisallow: /a\n", "/a", "yes"},
		// invalid lines
		{"Disallow: /a\nUser-agent: *\nCrawl-delay: soon\nnonsense\n: x\nDisallow: /b\n", "/b", "no"},
		{"Disallow: /a\nUser-agent: *\nDisallow: /b\n", "/a", "yes"},
		{"\uFEFFuser-agent: * # all\r\n  DISALLOW :  /a # not this\r\n", "/a", "no"},
		{"User-agent: *\rDisallow: /a\rDisallow: /b", "/a", "no"},
		{"User-agent: *\nDisallow: a\n", "/a", "no"},
		// patterns
		{"User-agent: *\nDisallow: /a$\n", "/ab", "yes"},
		{"User-agent: *\nDisallow: /a$\n", "/a", "no"},
		{"User-agent: *\nDisallow: /a*b*c$\n", "/a1b2b3c", "no"},
		{"User-agent: *\nDisallow: /a*b*c$\n", "/a1b2b3cd", "yes"},
		{"User-agent: *\nDisallow: /a*b*c\n", "/a1b2b3cd", "no"},
		{"User-agent: *\nDisallow: /a*b*c\n", "/a1c2b", "yes"},
		{"User-agent: *\nDisallow: /**x\n", "/ax", "no"},
		{"User-agent: *\nDisallow: /a$b\n", "/a$b", "no"}, // "$" is special only at the end
		{"User-agent: *\nDisallow: /a%24b\n", "/a$b", "no"},
		{"User-agent: *\nDisallow: /a%2Ab\n", "/a*b", "no"},
		{"User-agent: *\nDisallow: /a%2Ab\n", "/axb", "yes"},
		{"User-agent: *\nDisallow: /*?\n", "/a?b", "no"},
		// spellings (RFC 9309 2.2.2)
		{"User-agent: *\nDisallow: /~joe\n", "/%7Ejoe/", "no"},
		{"User-agent: *\nDisallow: /%7ejoe\n", "/~joe/", "no"},
		{"User-agent: *\nDisallow: /foo/bar/\u30c4\n", "/foo/bar/%E3%83%84", "no"},
		{"User-agent: *\nDisallow: /foo/bar/%62%61%7A\n", "/foo/bar/baz", "no"},
		{"User-agent: *\nDisallow: /a%2fb\n", "/a/b", "yes"},
		{"User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", "no"},
		{"User-agent: *\nDisallow: /a%zz%\n", "/a%zz%", "no"},
		{"User-agent: *\nDisallow: /a%%370\n", "/a%2570", "no"}, // decoding one escape does not make another
	} {
		if got := For("locator", test.text).Allowed(test.path); got != (test.want == "yes") {
			t.Errorf("%q: %s allowed: %v, want %s", test.text, test.path, got, test.want)
		}
	}
}

// Matching a hostile pattern takes time proportional to its length.
//
// Covers: T119
func TestHostilePatterns(t *testing.T) {
	t.Parallel()
	text := "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("a*", 1000)+"b$\n", 200)
	if !For("locator", text).Allowed("/" + strings.Repeat("a", 8000)) {
		t.Error("got forbidden, want allowed")
	}
}

func FuzzFor(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\n", "/ab")
	f.Add("user-agent:locator\nallow:%\n", "%")
	f.Fuzz(func(t *testing.T, text, path string) {
		r := For("locator", text)
		r.Allowed(path)
		if !r.Allowed("/robots.txt") {
			t.Error("robots.txt itself is forbidden")
		}
		if n := normal(path, "*$"); n != normal(n, "*$") {
			t.Errorf("normal(%q) = %q is not stable", path, n)
		}
	})
}
