package http

import (
	"strings"
	"testing"

	"locator"
)

// followed returns the URL that a reference resolves to, "" if it is invalid.
func followed(t *testing.T, base, ref string) string {
	t.Helper()
	u, err := resolve(locator.Current.MustParse(base), ref)
	if err != nil {
		return ""
	}
	return u.Text()
}

// TestResolveRFC3986 runs all examples of RFC 3986 5.4.
//
// Covers: S19
func TestResolveRFC3986(t *testing.T) {
	t.Parallel()
	const base = "http://a/b/c/d;p?q"
	for ref, want := range map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
		"//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
		"g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
		"g;x?y#s": "http://a/b/c/g;x?y#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/",
		"..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/",
		"../../g": "http://a/g", "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g",
		"/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..",
		"..g": "http://a/b/c/..g", "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h",
		"g/../h": "http://a/b/c/h", "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y",
		"g?y/./x": "http://a/b/c/g?y/./x", "g?y/../x": "http://a/b/c/g?y/../x", "g#s/./x": "http://a/b/c/g#s/./x",
		"g#s/../x": "http://a/b/c/g#s/../x", "http:g": "", // strict, not the second form of 5.4.2, and then no http URL
	} {
		if got := followed(t, base, ref); got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}

// Covers: S19
func TestResolveMore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ base, ref, want string }{
		{"http://a", "g", "http://a/g"},
		{"http://a", "", "http://a"},
		{"http://a", "?y", "http://a?y"},
		{"http://a/", "//", ""},
		{"http://a/b//c", "d", "http://a/b//d"},
		{"http://a/b", "/c//../d", "http://a/c/d"},
		{"http://a/b", "c:d", "c:d"},
		{"http://a/b", "./c:d", "http://a/c:d"},
		{"http://a/b", "1:d", "http://a/1:d"},
		{"http://u:p@a:81/b", "/c", "http://u:p@a:81/c"},
		{"http://a/b", "..//c", "http://a//c"},
		{"http://a/b", "HTTP://x/../y", "HTTP://x/y"},
		{"http://a/b", " [c] d\u00e9%zz?[e#[f\n", "http://a/%5Bc%5D%20d%C3%A9%25zz?%5Be#%5Bf"},
		{"http://a/b", "//[::1]:80/[", "http://[::1]:80/%5B"},
		{"http://a/b", "http://[::1]?[]", "http://[::1]?%5B%5D"},
		{"http://a/b", "c//[d", "http://a/c//%5Bd"},
		{"http://a/b", "/c//[d", "http://a/c//%5Bd"},
		{"http://a/b", "?x=//[d", "http://a/b?x=//%5Bd"},
	} {
		if got := followed(t, tt.base, tt.ref); got != tt.want {
			t.Errorf("%q from %q: %q, want %q", tt.ref, tt.base, got, tt.want)
		}
	}
}

func FuzzFollow(f *testing.F) {
	for _, s := range []string{"", "..", "//x", "http://[::1]:80/[", "/%", "a:b", "?#", "\x00\xff", "//[", ":80", "http:", "/a/../..//./"} {
		f.Add(s)
	}
	base := locator.MustParse("http://127.0.0.1:8080/a/b;c?d")
	f.Fuzz(func(t *testing.T, ref string) {
		u, err := resolve(base, ref)
		if err != nil {
			return
		}
		if u.Scheme() != "http" && u.Scheme() != "https" {
			return
		}
		// A resolved URL can be sent byte for byte, and contains no line end.
		at, err := New(u.Scheme()).newPlace(u)
		if err != nil {
			return
		}
		to, err := target(u.Scheme(), at.authority, u)
		if err != nil {
			t.Fatalf("%q leads to %q, which cannot be sent: %v", ref, u.Text(), err)
		}
		if strings.ContainsAny(to.RequestURI()+at.authority, "\r\n\x00 \t") {
			t.Fatalf("%q leads to a request line that holds a delimiter: %q", ref, to.RequestURI())
		}
		again, err := resolve(u, "")
		if err != nil || again != u.WithoutFragment() {
			t.Fatalf("%q from itself is %q, %v", u.Text(), again.Text(), err)
		}
	})
}
