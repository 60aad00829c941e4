package locator

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Covers: S17
func TestWith(t *testing.T) {
	t.Parallel()
	search := func(s string) func(URL) (URL, error) {
		return func(u URL) (URL, error) { return u.WithSearch(Some(s)) }
	}
	fragment := func(s string) func(URL) (URL, error) {
		return func(u URL) (URL, error) { return u.WithFragment(Some(s)) }
	}
	host := func(h, p string) func(URL) (URL, error) {
		return func(u URL) (URL, error) { return u.WithHost(h, p) }
	}
	name := func(s string) func(URL) (URL, error) { return func(u URL) (URL, error) { return u.WithScheme(s) } }
	none := func(f func(URL, Optional) (URL, error)) func(URL) (URL, error) {
		return func(u URL) (URL, error) { return f(u, Optional{}) }
	}
	for _, c := range []struct {
		text   string
		change func(URL) (URL, error)
		want   string // or the rule of the error
	}{
		{"http://h/a%2Bb?x=%26#f", search("y=%2B"), "http://h/a%2Bb?y=%2B#f"},
		{"http://h/a%2Bb?x=%26#f", none(URL.WithSearch), "http://h/a%2Bb#f"},
		{"https://h", search(""), "https://h?"},
		{"http://h/?a", search("a#b"), "!search"},
		{"http://h/?a#c", search("a#b"), "!fragment"},
		{"http://h/", search("a b"), "!search"},
		{"ftp://h/", search("a"), "!search"},
		{"http://h/%26?%26", fragment("%26/?"), "http://h/%26?%26#%26/?"},
		{"http://h/#a", fragment(""), "http://h/#"},
		{"ftp://h/a?b#c", none(URL.WithFragment), "ftp://h/a?b"},
		{"http://h/", fragment("a#b"), "!fragment"},
		{"http://u:p%40@h:80/%26?%26#a", host("[::1]", "8080"), "http://u:p%40@[::1]:8080/%26?%26#a"},
		{"http://u@h:80", host("g", ""), "http://u@g"},
		{"file:///a%2Fb", host("h.dom", ""), "file://h.dom/a%2Fb"},
		{"http://h/", host("u@g", ""), "!host"},
		{"http://h/", host("g/a", ""), "!host"},
		{"http://h/", host("g:1", "2"), "!authority"},
		{"http://h/", host("g:1", ""), "!host"},
		{"http://h/", host("", ""), "!host"},
		{"http://h/", host("g", "1/"), "!host"},
		{"mailto:a@b", host("g", ""), "!host"},
		{"http://h/%26?%26#a", name("https"), "https://h/%26?%26#a"},
		{"ftp://u@h/a;type=a", name("ftps"), "ftps://u@h/a;type=a"},
		{"http://h/", name("mailto:x"), "!scheme"},
		{"http://h/", name("gopher"), "gopher://h/"},
		{"http://h/", name(""), "!scheme"},
	} {
		u, err := Current.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.change(u)
		if rule, bad := strings.CutPrefix(c.want, "!"); bad {
			e, ok := err.(*SyntaxError)
			if !ok || e.Rule != rule || !got.IsZero() {
				t.Errorf("%s becomes %q, %v, want an error for %s", c.text, got.Text(), err, rule)
			}
		} else if err != nil || got.Text() != c.want {
			t.Errorf("%s becomes %q, %v, want %s", c.text, got.Text(), err, c.want)
		}
	}
	for _, f := range []func(URL) (URL, error){search("a"), fragment("a"), host("a", ""), name("a")} {
		if u, err := f(URL{}); err == nil || !u.IsZero() {
			t.Errorf("the zero URL becomes %q", u.Text())
		}
	}
}

// A change keeps the other parts byte for byte, and setting the old part again returns the old URL.
//
// Covers: S17
func TestWithProperties(t *testing.T) {
	t.Parallel()
	seeded(t, 2, func(t *testing.T, r *rand.Rand) {
		for range 5000 {
			u, err := Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			back := func(v URL, err error, again func(URL) (URL, error)) {
				t.Helper()
				if err != nil {
					t.Fatalf("%q: %v", u.Text(), err)
				}
				if w, err := again(v); err != nil || w != u {
					t.Fatalf("%q, changed to %q and back, is %q, %v", u.Text(), v.Text(), w.Text(), err)
				}
			}
			v, err := u.WithFragment(Some("x"))
			back(v, err, func(v URL) (URL, error) { return v.WithFragment(optional(u.Fragment())) })
			if u.grammar() == httpGrammar {
				v, err = u.WithSearch(Some("x"))
				back(v, err, func(v URL) (URL, error) { return v.WithSearch(optional(u.Search())) })
			}
			if u.HasHost() && u.has&hasPort == 0 {
				v, err = u.WithHost("h.dom", "")
				back(v, err, func(v URL) (URL, error) { return v.WithHost(u.Host(), "") })
			}
		}
	})
}
