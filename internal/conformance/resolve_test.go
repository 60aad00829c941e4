package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/hang"
)

// current parses a URL with Current.
func current(t testing.TB, s string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The examples of RFC 3986 5.4: reference, target. The base is http://a/b/c/d;p?q.
var (
	normalExamples = [][2]string{
		{"g:h", "g:h"}, {"g", "http://a/b/c/g"}, {"./g", "http://a/b/c/g"}, {"g/", "http://a/b/c/g/"}, {"/g", "http://a/g"}, {"//g", "http://g"},
		{"?y", "http://a/b/c/d;p?y"}, {"g?y", "http://a/b/c/g?y"}, {"#s", "http://a/b/c/d;p?q#s"}, {"g#s", "http://a/b/c/g#s"},
		{"g?y#s", "http://a/b/c/g?y#s"}, {";x", "http://a/b/c/;x"}, {"g;x", "http://a/b/c/g;x"}, {"g;x?y#s", "http://a/b/c/g;x?y#s"},
		{"", "http://a/b/c/d;p?q"}, {".", "http://a/b/c/"}, {"./", "http://a/b/c/"}, {"..", "http://a/b/"}, {"../", "http://a/b/"},
		{"../g", "http://a/b/g"}, {"../..", "http://a/"}, {"../../", "http://a/"}, {"../../g", "http://a/g"},
	}
	abnormalExamples = [][2]string{
		{"../../../g", "http://a/g"}, {"../../../../g", "http://a/g"}, {"/./g", "http://a/g"}, {"/../g", "http://a/g"}, {"g.", "http://a/b/c/g."},
		{".g", "http://a/b/c/.g"}, {"g..", "http://a/b/c/g.."}, {"..g", "http://a/b/c/..g"}, {"./../g", "http://a/b/g"}, {"./g/.", "http://a/b/c/g/"},
		{"g/./h", "http://a/b/c/g/h"}, {"g/../h", "http://a/b/c/h"}, {"g;x=1/./y", "http://a/b/c/g;x=1/y"}, {"g;x=1/../y", "http://a/b/c/y"},
		{"g?y/./x", "http://a/b/c/g?y/./x"}, {"g?y/../x", "http://a/b/c/g?y/../x"}, {"g#s/./x", "http://a/b/c/g#s/./x"}, {"g#s/../x", "http://a/b/c/g#s/../x"},
	}
)

// Covers: S19
func TestResolveExamples(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, base := range []string{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q#f", "https://a/b/c/d;p?q", "x-a://a/b/c/d;p?q"} {
		u := current(t, base)
		for _, c := range append(append([][2]string{}, normalExamples...), abnormalExamples...) {
			want := c[1]
			if strings.HasPrefix(want, "http:") {
				want = u.Scheme() + want[len("http"):]
			}
			got, err := u.Resolve(c[0])
			if err != nil || got.Text() != want {
				t.Errorf("%s from %s: %q, %v, want %s", c[0], base, got.Text(), err, want)
			}
		}
	}
	// 5.4.2: "http:g" resolves to itself, which is not an http URL by RFC 9110.
	u := current(t, "http://a/b/c/d;p?q")
	if _, err := u.Resolve("http:g"); err == nil || checkError(t, "http:g", err).Offset != 5 {
		t.Errorf("http:g: %v", err)
	}
	x := current(t, "x-a://a/b/c/d;p?q")
	if got, err := x.Resolve("X-A:g"); err != nil || got.Text() != "X-A:g" {
		t.Errorf("X-A:g: %q, %v", got.Text(), err)
	}
}

// olderExamples are the examples of RFC 1808 5 that differ from those of RFC 3986: reference,
// RFC 1808, RFC 3986. The base is http://a/b/c/d;p?q#f. All others are the same.
var olderExamples = [][3]string{
	{"", "http://a/b/c/d;p?q#f", "http://a/b/c/d;p?q"},          // the fragment of the base is no longer kept
	{";x", "http://a/b/c/d;x", "http://a/b/c/;x"},               // there were parameters beside the path
	{"../../../g", "http://a/../g", "http://a/g"},               // ".." above the root was kept
	{"../../../../g", "http://a/../../g", "http://a/g"},         //
	{"/./g", "http://a/./g", "http://a/g"},                      // dots in an absolute path were kept
	{"/../g", "http://a/../g", "http://a/g"},                    //
	{"g?y/./x", "http://a/b/c/g?y/./x", "http://a/b/c/g?y/./x"}, // the same; RFC 1630 had it otherwise
	{"g;x=1/./y", "", "http://a/b/c/g;x=1/y"},                   // no example of RFC 1808: parameters ended the path
}

// Covers: S19
func TestResolveRFC1808(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	u := current(t, "http://a/b/c/d;p?q#f")
	for _, c := range olderExamples {
		if got, err := u.Resolve(c[0]); err != nil || got.Text() != c[2] {
			t.Errorf("%s: %q, %v, want %s", c[0], got.Text(), err, c[2])
		}
	}
}

// Covers: S19
func TestResolveSchemes(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, c := range [][3]string{
		{"ftp://u:p@h:21/a/b;type=a", "c", "ftp://u:p@h:21/a/c"}, // the typecode goes with the name
		{"ftp://h/a/b;type=d", "", "ftp://h/a/b;type=d"},
		{"ftp://h/a/b;type=d", "c;type=i", "ftp://h/a/c;type=i"},
		{"ftp://h", "a", "ftp://h/a"},
		{"ftp://h/%2Fetc/motd", "../x", "ftp://h/x"},
		{"ftp://h/a%2F..%2Fb/c", "d", "ftp://h/a%2F..%2Fb/d"}, // no escape is a delimiter, nor a dot segment
		{"ftp://h/a//b", "../c", "ftp://h/a/c"},
		{"http://h", "?x", "http://h?x"},
		{"http://h/a/..", "g", "http://h/a/g"}, // RFC 3986 5.2.3; erratum 4789 would have http://h/g
		{"http://h/a/../", "g", "http://h/g"},
		{"http://h/a", "//[::1]:80/b/../c", "http://[::1]:80/c"},
		{"http://h/a", "b?x#y/../z", "http://h/b?x#y/../z"},
		{"http://h/a", "bücher/ä", "http://h/bücher/ä"},
		{"http://h/a", "mailto:a@b", "mailto:a@b"},
		{"http://h/a", "MAILTO:a@b", "MAILTO:a@b"},
		{"file:///a/b", "c", "file:///a/c"},
		{"file:/a/b", "../c", "file:/c"},
		{"file:/a/b", "..//c", "file:/.//c"}, // "//" would be an authority
		{"file:c:/a/b", "d", "file:c:/a/d"},
		{"file:///c:/a/b", "/d:/e", "file:///d:/e"},
		{"file://h/a", "//i/b", "file://i/b"},
		{"nfs://h/a/b", "c", "nfs://h/a/c"},
		{"z39.50r://h/d", "e", "z39.50r://h/e"},
		{"nfs://h//a/b", "c", "nfs://h//a/c"},
		{"x://h?q", "a", "x://h/a"},
		{"x:/a/b", "c", "x:/a/c"},
		{"x:/a/b", "//h", "x://h"},
		{"mailto:a@b", "#c", "mailto:a@b#c"},
		{"mailto:a@b#x", "", "mailto:a@b"},
		{"gopher://h/1/a", "gopher://i/", "gopher://i/"},
		{"urn:a:b", "#c", "urn:a:b#c"},
	} {
		got, err := current(t, c[0]).Resolve(c[1])
		if err != nil || got.Text() != c[2] {
			t.Errorf("%s from %s: %q, %v, want %s", c[1], c[0], got.Text(), err, c[2])
		}
	}
	for _, c := range []struct {
		base, ref, rule string
		offset          int
	}{
		{"gopher://h/1/a", "b", "relative-ref", 0}, {"gopher://h/1/a", "//i/", "relative-ref", 0}, {"gopher://h/1/a", "?b", "relative-ref", 0},
		{"mailto:a@b", "c", "relative-ref", 0}, {"news:a@b", "c", "relative-ref", 0}, {"nntp://h/a/1", "2", "relative-ref", 0},
		{"telnet://h/", "/", "relative-ref", 0}, {"wais://h/d", "e", "relative-ref", 0}, {"prospero://h/a/b", "c", "relative-ref", 0},
		{"urn:a:b", "c", "relative-ref", 0}, {"x:", "c", "relative-ref", 0}, {"mid:a@b", "c", "relative-ref", 0},
		{"http://h/a/b", "c d", "hsegment", 12}, {"http://h/a/b", "//", "host", 7}, {"ftp://h/a/b", "c?d;e", "ftpurl", 14},
	} {
		got, err := current(t, c.base).Resolve(c.ref)
		if err == nil {
			t.Errorf("%s from %s is %s", c.ref, c.base, got.Text())
			continue
		}
		if e := err.(*locator.SyntaxError); e.Rule != c.rule || e.Offset != c.offset || e.Hint == "" {
			t.Errorf("%s from %s: %s at %d: %v", c.ref, c.base, e.Rule, e.Offset, err)
		}
	}
	if _, err := (locator.URL{}).Resolve("http://h/"); err == nil {
		t.Error("a reference resolves against the zero URL")
	}
}

// Covers: S19
func TestRelativize(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	for _, c := range [][3]string{
		{"http://a/b/c/d;p?q", "http://a/b/c/g", "g"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q", ""},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q#s", "#s"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?y", "?y"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p", "d;p"},
		{"http://a/b/c/d;p?q", "http://a/b/c/", "./"},
		{"http://a/b/c/d;p?q", "http://a/b/", "../"},
		{"http://a/b/c/d;p?q", "http://a/", "/"},
		{"http://a/b/c/d;p?q", "http://a/g", "/g"},
		{"http://a/b/c/d;p?q", "http://a/b/g/h", "../g/h"},
		{"http://a/b/c/d;p?q", "http://g", "//g"},
		{"http://a/b/c/d;p?q", "https://a/b/c/d;p", "https://a/b/c/d;p"},
		{"http://a/b/c", "http://a/b/x:y", "./x:y"},
		{"http://a/b/c", "http://a/b//x", ".//x"},
		{"http://a/b/c", "http://a//x", "/.//x"}, // not "//x": that would be a host
		{"http://a", "http://a/b", "b"},
		{"http://a?q", "http://a", "//a"},
		{"ftp://h/a/b;type=a", "ftp://h/a/c;type=i", "c;type=i"},
		{"ftp://u:p@h/a/b", "ftp://u:p@h/a/c", "c"},
		{"file:/a/b", "file:/a/c", "c"},
		{"file:/a/b", "file:///a/c", "///a/c"},
		{"gopher://h/1/a", "gopher://h/1/b", "gopher://h/1/b"},
		{"mailto:a@b", "mailto:a@b#c", "#c"},
	} {
		u, to := current(t, c[0]), current(t, c[1])
		ref, ok := u.Relativize(to)
		if !ok || len(ref) > len(c[2]) {
			t.Errorf("%s from %s: %q, %v, want %q", c[1], c[0], ref, ok, c[2])
		}
		if back, err := u.Resolve(ref); err != nil || back != to {
			t.Errorf("%s from %s: %q resolves to %s (%v)", c[1], c[0], ref, back.Text(), err)
		}
	}
	for _, c := range [][2]string{{"http://a/b", "http://a/b/../c"}, {"http://a/b", "ftp://a/./"}} {
		if ref, ok := current(t, c[0]).Relativize(current(t, c[1])); ok {
			t.Errorf("%s from %s: %q", c[1], c[0], ref)
		}
	}
}

// A reference of Relativize resolves to the URL again, and is not longer than the URL.
//
// Covers: S19, S17
func TestRelativizeProperties(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		found := 0
		for range 4000 {
			base, target := neighbours(r)
			if checkRelativize(t, base, target) {
				found++
			}
		}
		if found < 1000 {
			t.Errorf("only %d references found", found)
		}
	})
}

// neighbours returns two random URLs that are often similar.
func neighbours(r *rand.Rand) (a, b string) {
	a = currentText(r)
	if r.IntN(2) == 0 {
		return a, currentText(r)
	}
	pieces := []string{"a", "b", "/", "//", "..", ".", "?", "#", ":", ";x", "%2F", "~"}
	begin := []string{"http://h", "ftp://u@h", "file://", "file:", "x://h", "x:"}[r.IntN(6)]
	text := func() string {
		var s strings.Builder
		s.WriteString(begin)
		for range r.IntN(8) {
			s.WriteString(pieces[r.IntN(len(pieces))])
		}
		return s.String()
	}
	return text(), text()
}

// checkRelativize checks that Relativize is the inverse of Resolve.
func checkRelativize(t testing.TB, a, b string) bool {
	t.Helper()
	u, err := locator.Current.Parse(a)
	if err != nil {
		return false
	}
	to, err := locator.Current.Parse(b)
	if err != nil {
		return false
	}
	ref, ok := u.Relativize(to)
	if !ok {
		if again, err := u.Resolve(b); err == nil && again.Text() == b {
			t.Fatalf("no reference from %q to %q, but the URL itself is one", a, b)
		}
		return false
	}
	if back, err := u.Resolve(ref); err != nil || back != to || len(ref) > len(b) {
		t.Fatalf("from %q to %q: %q resolves to %q (%v)", a, b, ref, back.Text(), err)
	}
	return true
}

func FuzzResolve(f *testing.F) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 100 {
		a, b := neighbours(r)
		f.Add(a, b)
	}
	f.Add("A:.", "")
	for _, c := range append(append([][2]string{}, normalExamples...), abnormalExamples...) {
		f.Add("http://a/b/c/d;p?q", c[0])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		checkRelativize(t, a, b)
		u, err := locator.Current.Parse(a)
		if err != nil {
			return
		}
		target, err := u.Resolve(b)
		if err != nil {
			checkErrorOf(t, err)
			return
		}
		if hasDots(target.Text()) {
			return // a reference with an empty path keeps the path of the base, including its dot segments
		}
		if again, err := u.Resolve(target.Text()); err != nil || again != target {
			t.Fatalf("%q from %q is %q, and that is %q (%v)", b, a, target.Text(), again.Text(), err)
		}
	})
}

// checkErrorOf checks that an error is a complete SyntaxError.
func checkErrorOf(t testing.TB, err error) {
	t.Helper()
	if e, ok := err.(*locator.SyntaxError); !ok || e.Rule == "" || e.Section == "" || e.Msg == "" || e.Hint == "" {
		t.Fatalf("incomplete error %#v", err)
	}
}
