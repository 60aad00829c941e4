package locator

import (
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"locator/internal/bnf"
)

// currentAgrees holds Current to RFC1738: it reads all that RFC1738 does, in the same way, but https, which it holds to
// the rule of http. What only Current reads is good by RFC1738 when rewritten in its words.
func currentAgrees(t testing.TB, s string) {
	t.Helper()
	strict, strictErr := RFC1738.Parse(s)
	u, err := Current.Parse(s)
	if err != nil {
		e := checkError(t, s, err)
		if strictErr == nil && strict.Scheme() != "https" {
			t.Fatalf("Current refuses %q: %v", s, err)
		}
		if strictErr != nil && e.Offset < strictErr.(*SyntaxError).Offset && e.Scheme != "https" {
			t.Fatalf("Current stops at %d in %q, RFC1738 later: %v, %v", e.Offset, s, err, strictErr)
		}
		return
	}
	checkParts(t, u)
	if strictErr == nil && u.Scheme() != "https" && u != strict {
		t.Fatalf("Current reads %q in another way", s)
	}
	if _, ok := u.Fragment(); ok {
		whole := u.WithoutFragment()
		if back, err := Current.Parse(whole.Text()); err != nil || back != whole || whole.Canonical() != u.Canonical() {
			t.Fatalf("%q without its fragment is another URL", s)
		}
	}
	plain := strings.ReplaceAll(u.WithoutFragment().Text(), "~", "%7E")
	if u.Scheme() == "https" {
		plain = "http" + plain[len("https"):]
	}
	if u.hasIPv6() {
		plain = strings.Replace(plain, u.Host(), "h", 1)
	}
	if _, err := RFC1738.Parse(plain); err != nil {
		t.Fatalf("Current reads %q, but RFC1738 refuses %q: %v", s, plain, err)
	}
}

// currentPieces are what Current reads and RFC1738 does not.
var currentPieces = []string{"~", "[::1]", "[2001:db8::192.0.2.1]", "#", "#a", "https:", "[", "]", "[::", "~@", "@[::1]:80", "%7E"}

// currentText makes a text that Current may read.
func currentText(r *rand.Rand) string {
	s := generate(r)
	for range r.IntN(3) {
		i := r.IntN(len(s) + 1)
		s = s[:i] + currentPieces[r.IntN(len(currentPieces))] + s[i:]
	}
	if r.IntN(4) == 0 {
		s = strings.Replace(s, "http:", "https:", 1)
	}
	if r.IntN(3) == 0 {
		s = bnf.Mutate(r, s)
	}
	return s
}

// Covers: S1, S22
func TestCurrentAgrees(t *testing.T) {
	t.Parallel()
	seeded(t, 4, func(t *testing.T, r *rand.Rand) {
		for range 10_000 {
			currentAgrees(t, currentText(r))
		}
	})
}

// Covers: S22
func TestCurrent(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{ // the parts of the view, "|" and the fragment
		"http://h/~a?~b#~c":            `path="~a" search="~b" | ~c`,
		"https://h":                    `path=- search=- | -`,
		"https://h#":                   `path=- search=- | `,
		"ftp://~u:~p@h/~a;type=i#x":    `dirs=[] name="~a" type="i" | x`,
		"mailto:~a@b#c":                `address="~a@b" | c`,
		"news:~a@b#c/?d":               `kind="article" group=- article="~a@b" | c/?d`,
		"gopher://[::1]:70/0~":         `type="0" selector="~" search=- plus=- | -`,
		"nntp://[::1]/a/1":             `group="a" article="1" | -`,
		"telnet://u@[::1]:23":          ` | -`,
		"wais://[::1]/~?~":             `kind="search" database="~" search="~" wtype=- wpath=- | -`,
		"file://[::1]/~/":              `segments=["~" ""] | -`,
		"prospero://[::1]/~;~=~":       `name="~" fields=[{"~" "~"}] | -`,
		"x-y://u:p@[::1]:1/a#b":        `part="//u:p@[::1]:1/a" | b`,
		"x-y://[1::]":                  `part="//[1::]" | -`,
		"FTP://[::ffff:192.0.2.1]/":    `dirs=[] name="" type=- | -`,
		"http://[1:2:3:4:5:6:7:8]/":    `path="" search=- | -`,
		"http://[1::8]:00080/":         `path="" search=- | -`,
		"http://[1:2:3:4:5:6:7::]/":    `path="" search=- | -`,
		"http://[::2:3:4:5:6:7:8]/":    `path="" search=- | -`,
		"http://[1:2:3:4:5:6:7.7.7.7]": `path=- search=- | -`,
	} {
		u, err := Current.Parse(s)
		if err != nil {
			t.Error(err)
			continue
		}
		fragment, ok := u.Fragment()
		if !ok {
			fragment = "-"
		}
		if got := show(u.Parts()) + " | " + fragment; got != want {
			t.Errorf("%s: %s, not %s", s, got, want)
		}
		currentAgrees(t, s)
	}
	for _, c := range []struct {
		text   string
		offset int
		rule   string
	}{
		{"http://h/#a b", 11, "fragment"},
		{"http://h/#a#b", 11, "fragment"},
		{"http://h/#%", 11, "escape"},
		{"http://#", 7, "host"},
		{"ftp:#", 4, "ftpurl"},
		{"#", 0, "scheme"},
		{"https:x", 6, "httpurl"},
		{"https://u:p@h/", 10, "port"},
		{"http://~/", 7, "host"},
		{"ftp://~/", 7, "login"},
		{"http://[", 8, "IPv6address"},
		{"http://[]", 8, "IPv6address"},
		{"http://[::1", 11, "IPv6address"},
		{"http://[::1]x", 12, "host"},
		{"http://[::1]:x", 13, "port"},
		{"ftp://[::1]@h/", 11, "host"},
		{"http://[v1.x]/", 8, "IPv6address"},
		{"http://[fe80::1%25eth0]/", 15, "IPv6address"},
		{"news:a@[::1]", 7, "host"},
		{"x:[", 2, "schemepart"},
		{"x://a[", 5, "schemepart"},
		{"x://a:b:c[", 9, "schemepart"},
		{"x://[::1]/[", 10, "urlpath"},
		{"x://a/[::1]", 6, "urlpath"},
	} {
		_, err := Current.Parse(c.text)
		if err == nil {
			t.Errorf("Current reads %q", c.text)
			continue
		}
		if e := checkError(t, c.text, err); e.Offset != c.offset || e.Rule != c.rule {
			t.Errorf("%q: %s at %d, not %s at %d: %v", c.text, e.Rule, e.Offset, c.rule, c.offset, err)
		}
	}
}

// ipv6Viable reports whether s can be continued to an address with its bracket, by trying: an address of some groups
// is never further away than this.
func ipv6Viable(s string) bool {
	tails := []string{
		"]", ":]", "::]", "1]", "1::]", "0.0.0.0]", ".0.0.0]", "0.0.0]", ".0.0]", "0.0]", ".0]", "0]",
		":1]", ":1:1]", ":1:1:1]", ":1:1:1:1]", ":1:1:1:1:1]", ":1:1:1:1:1:1]", ":1:1:1:1:1:1:1]",
		"1:1]", "1:1:1]", "1:1:1:1]", "1:1:1:1:1]", "1:1:1:1:1:1]", "1:1:1:1:1:1:1]", "1:1:1:1:1:1:1:1]",
	}
	for _, tail := range tails {
		if isIPv6(s + tail) {
			return true
		}
	}
	return false
}

// isIPv6 is the judgement of package netip on an address with its closing bracket. RFC 3986 has no zones.
func isIPv6(s string) bool {
	s, ok := strings.CutSuffix(s, "]")
	a, err := netip.ParseAddr(s)
	return ok && err == nil && a.Is6() && a.Zone() == ""
}

// The IPv6 literals are held against package netip, in verdict and in the place where they go wrong.
func TestIPv6(t *testing.T) {
	t.Parallel()
	seeded(t, 2, func(t *testing.T, r *rand.Rand) {
		good := 0
		for range 30_000 {
			var b strings.Builder
			for range 1 + r.IntN(10) {
				b.WriteString([]string{":", ":", ":", "1:", "1:", "0", "fF:", "12345", "256", "1.2.3.4", "01", ".", "g", "]", "1:2:3:4:5:6:", "255"}[r.IntN(16)])
			}
			s := b.String() + "]"
			end, ok := scanIPv6(s, strictTable, 0)
			if ok {
				good++
				if !isIPv6(s[:end]) {
					t.Fatalf("%q is no address", s[:end])
				}
				continue
			}
			if !ipv6Viable(s[:end]) {
				t.Fatalf("%q goes wrong before %d", s, end)
			}
			if end < len(s) && ipv6Viable(s[:end+1]) {
				t.Fatalf("%q goes wrong after %d", s, end)
			}
		}
		if good < 500 {
			t.Errorf("only %d good addresses", good)
		}
	})
}

func TestFromCurrentAs(t *testing.T) {
	t.Parallel()
	for _, c := range views {
		strict := MustParse(c.text)
		u, err := Current.Parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if u.Scheme() == "https" {
			continue
		}
		if u != strict || !reflect.DeepEqual(u.View(), strict.View()) {
			t.Errorf("Current reads %s in another way", c.text)
		}
	}
}

func FuzzCurrent(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add(currentText(r))
	}
	f.Fuzz(func(t *testing.T, s string) {
		currentAgrees(t, s)
		u, err := Current.Parse(s)
		if err != nil {
			Redact(s)
			return
		}
		if v := u.View(); v.Scheme() != u.Scheme() {
			t.Fatalf("%q has a view of %q", s, v.Scheme())
		}
		u.Parts()
		checkRedacted(t, u)
	})
}

// checkRedacted holds the redacted text to being a URL of the same parts without the password.
func checkRedacted(t testing.TB, u URL) {
	t.Helper()
	r, err := Current.Parse(u.Redacted())
	if err != nil && u.Scheme() == "https" {
		r, err = RFC1738.Parse(u.Redacted()) // https with a login is no URL of Current
	}
	if err != nil || r.Scheme() != u.Scheme() {
		t.Fatalf("%q is redacted to %q (%v)", u.Text(), u.Redacted(), err)
	}
	if password, _ := u.Password(); password != "" {
		if got, _ := r.Password(); got != mask || r.Host() != u.Host() || r.Canonical().Part() == "" {
			t.Fatalf("%q is redacted to %q", u.Text(), u.Redacted())
		}
	}
}
