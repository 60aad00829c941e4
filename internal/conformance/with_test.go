package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"

	"locator"
)

// Covers: S17
func TestWith(t *testing.T) {
	t.Parallel()
	search := func(s string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithSearch(locator.Some(s)) }
	}
	fragment := func(s string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithFragment(locator.Some(s)) }
	}
	host := func(h, p string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithHost(h, p) }
	}
	name := func(s string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithScheme(s) }
	}
	none := func(f func(locator.URL, locator.Optional) (locator.URL, error)) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return f(u, locator.Optional{}) }
	}
	path := func(s string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithPath(locator.Some(s)) }
	}
	port := func(s string) func(locator.URL) (locator.URL, error) {
		return func(u locator.URL) (locator.URL, error) { return u.WithPort(s) }
	}
	user := func(login ...string) func(locator.URL) (locator.URL, error) {
		var parts [2]locator.Optional
		for i, s := range login {
			parts[i] = locator.Some(s)
		}
		return func(u locator.URL) (locator.URL, error) { return u.WithUser(parts[0], parts[1]) }
	}
	query := func(words ...string) func(locator.URL) (locator.URL, error) {
		var params []locator.Pair
		for i := 0; i < len(words); i += 2 {
			params = append(params, locator.Pair{Name: words[i], Value: words[i+1]})
		}
		return func(u locator.URL) (locator.URL, error) { return u.WithQuery(params...) }
	}
	for _, c := range []struct {
		text   string
		change func(locator.URL) (locator.URL, error)
		want   string // or the rule of the error
	}{
		{"http://h/a%2Bb?x=%26#f", search("y=%2B"), "http://h/a%2Bb?y=%2B#f"},
		{"http://h/a%2Bb?x=%26#f", none(locator.URL.WithSearch), "http://h/a%2Bb#f"},
		{"https://h", search(""), "https://h?"},
		{"http://h/?a", search("a#b"), "!search"},
		{"http://h/?a#c", search("a#b"), "!fragment"},
		{"http://h/", search("a b"), "!search"},
		{"ftp://h/", search("a"), "!search"},
		{"http://h/%26?%26", fragment("%26/?"), "http://h/%26?%26#%26/?"},
		{"http://h/#a", fragment(""), "http://h/#"},
		{"ftp://h/a?b#c", none(locator.URL.WithFragment), "ftp://h/a?b"},
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
		{"http://u@h:80/a", name("https"), "https://u@h/a"},
		{"https://h:0443", name("HTTP"), "HTTP://h"},
		{"http://h:8080/", name("https"), "https://h:8080/"},
		{"http://h:80/#f", name("http"), "http://h:80/#f"},
		{"gopher://h:70/", name("gophers"), "gophers://h:70/"},
		{"http://h:80/", name("x-new"), "x-new://h:80/"},
		{"http://h:443/", name("https"), "https://h:443/"},
		{"http://u@h:1/a%2Fb?c#d", path("x/%2F"), "http://u@h:1/x/%2F?c#d"},
		{"http://h?c", path(""), "http://h/?c"},
		{"http://h/a?c", none(locator.URL.WithPath), "http://h?c"},
		{"ftp://h/a;type=a", path("b"), "ftp://h/b"},
		{"gopher://h", path("0/x"), "gopher://h/0/x"},
		{"file:/etc", path("tmp"), "file:/tmp"},
		{"file:///etc", none(locator.URL.WithPath), "!host"},
		{"http://h/", path("a?b"), "!path"},
		{"http://h/", path("a#b"), "!path"},
		{"http://h/", path("a b"), "!hsegment"},
		{"http://h/", path("%zz"), "!escape"},
		{"mailto:a@b", path("x"), "!path"},
		{"ftp://a:b@h:1/p", user("c%40", "d"), "ftp://c%40:d@h:1/p"},
		{"ftp://a:b@h:1/p", user("c"), "ftp://c@h:1/p"},
		{"ftp://a:b@h:1/p", user(), "ftp://h:1/p"},
		{"ftp://h/p", user("", ""), "ftp://:@h/p"},
		{"ftp://h/p", func(u locator.URL) (locator.URL, error) { return u.WithUser(locator.Optional{}, locator.Some("x")) }, "!password"},
		{"ftp://h/p", user("a@g/"), "!user"},
		{"ftp://h/p", user("a:b"), "!user"},
		{"gopher://h/", user("a"), "!host"},
		{"file:///p", user("a"), "!fileurl"},
		{"mailto:a@b", user("a"), "!user"},
		{"http://u@h/", port("8080"), "http://u@h:8080/"},
		{"http://u@h:8080/", port(""), "http://u@h/"},
		{"http://h:/", port(""), "http://h/"},
		{"http://h/", port("80/x"), "!port"},
		{"http://h/", port("x"), "!authority"},
		{"mailto:a@b", port("1"), "!port"},
		{"http://h/?a=b#f", query("x y", "1+2", "é", "&="), "http://h/?x%20y=1%2B2&%C3%A9=%26%3D#f"},
		{"http://h/?a=b", query(), "http://h/"},
		{"ftp://h/", query("a", "b"), "!search"},
	} {
		u, err := locator.Current.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.change(u)
		if rule, bad := strings.CutPrefix(c.want, "!"); bad {
			e, ok := err.(*locator.SyntaxError)
			if !ok || e.Rule != rule || !got.IsZero() {
				t.Errorf("%s becomes %q, %v, want an error for %s", c.text, got.Text(), err, rule)
			}
		} else if err != nil || got.Text() != c.want {
			t.Errorf("%s becomes %q, %v, want %s", c.text, got.Text(), err, c.want)
		}
	}
	for _, f := range []func(locator.URL) (locator.URL, error){search("a"), fragment("a"), host("a", ""), name("a"), path("a"), user("a"), port("1"), query("a", "b")} {
		if u, err := f(locator.URL{}); err == nil || !u.IsZero() {
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
			u, err := locator.Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			back := func(v locator.URL, err error, again func(locator.URL) (locator.URL, error)) {
				t.Helper()
				if err != nil {
					t.Fatalf("%q: %v", u.Text(), err)
				}
				if w, err := again(v); err != nil || w != u {
					t.Fatalf("%q, changed to %q and back, is %q, %v", u.Text(), v.Text(), w.Text(), err)
				}
			}
			v, err := u.WithFragment(locator.Some("x"))
			back(v, err, func(v locator.URL) (locator.URL, error) { return v.WithFragment(optional(u.Fragment())) })
			if grammar(u) == "http" {
				v, err = u.WithSearch(locator.Some("x"))
				back(v, err, func(v locator.URL) (locator.URL, error) { return v.WithSearch(optional(u.Search())) })
			}
			if u.HasHost() && !hasPort(u) {
				v, err = u.WithHost("h.dom", "")
				back(v, err, func(v locator.URL) (locator.URL, error) { return v.WithHost(u.Host(), "") })
			}
			if p, ok := u.Path(); ok && u.HasHost() && grammar(u) != "news" && grammar(u) != "nntp" {
				v, err = u.WithPath(locator.Some(p + "1"))
				if err == nil { // not for the typecode of ftp, and other rules
					back(v, err, func(v locator.URL) (locator.URL, error) { return v.WithPath(locator.Some(p)) })
				}
			}
			if _, ok := u.User(); ok {
				v, err = u.WithUser(locator.Some("x"), locator.Some("y"))
				back(v, err, func(v locator.URL) (locator.URL, error) {
					return v.WithUser(optional(u.User()), optional(u.Password()))
				})
			}
			if u.Port() != "" {
				v, err = u.WithPort("1")
				back(v, err, func(v locator.URL) (locator.URL, error) { return v.WithPort(u.Port()) })
			}
		}
	})
}

// A method With... that is given any text returns an error, or a URL in which nothing but that part
// has changed.
//
// Covers: S17
func TestWithAnything(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "%41", "%4", "%", "/", "?", "#", "@", ":", "[", "]", " ", "\n", "\x00", "é", ";type=", ".", "..", "80", "//", "&", "=", "", "\\", "\xff", "1"}
	seeded(t, 2, func(t *testing.T, r *rand.Rand) {
		changed := make(map[string]int)
		for range 20_000 {
			u, err := locator.Current.Parse(currentText(r))
			if err != nil {
				continue
			}
			text := func() string { return pieces[r.IntN(len(pieces))] + pieces[r.IntN(len(pieces))] }
			part := func() locator.Optional { return optional(text(), true) }
			p, q := part(), part()
			if r.IntN(3) == 0 {
				q = locator.Optional{}
			}
			s, n := p.Or(""), q.Or("")
			for name, c := range map[string]attempt{
				"path":     try(u.WithPath(p))(func(w *[8]string) { w[5] = "/" + s }),
				"search":   try(u.WithSearch(p))(func(w *[8]string) { w[6] = "?" + s }),
				"fragment": try(u.WithFragment(p))(func(w *[8]string) { w[7] = "#" + s }),
				"port":     try(u.WithPort(s))(func(w *[8]string) { w[4] = s }),
				"host":     try(u.WithHost(s, n))(func(w *[8]string) { w[3], w[4] = s, n }),
				"user":     try(u.WithUser(p, q))(func(w *[8]string) { w[1], w[2] = "@"+s, after(":", q) }),
			} {
				if c.err != nil {
					if !c.v.IsZero() {
						t.Fatalf("%s of %q: an error and the URL %q", name, u.Text(), c.v.Text())
					}
					continue
				}
				changed[name]++
				want := pieceList(u)
				c.want(&want)
				if got := pieceList(c.v); got != want {
					t.Fatalf("%s of %q, changed by %q and %q to %q: %q, want %q", name, u.Text(), s, n, c.v.Text(), got, want)
				}
				if _, err := locator.Current.Parse(c.v.Text()); err != nil {
					if _, err := locator.RFC1738.Parse(c.v.Text()); err != nil {
						t.Fatalf("%s of %q becomes %q: %v", name, u.Text(), c.v.Text(), err)
					}
				}
			}
		}
		for _, name := range []string{"path", "search", "fragment", "port", "host", "user"} {
			if changed[name] < 20 {
				t.Errorf("only %d URLs got another %s", changed[name], name)
			}
		}
	})
}

// attempt is the result of a method With..., and what it should have done to the pieceList.
type attempt struct {
	v    locator.URL
	err  error
	want func(*[8]string)
}

func try(v locator.URL, err error) func(func(*[8]string)) attempt {
	return func(want func(*[8]string)) attempt { return attempt{v, err, want} }
}

// pieceList returns the parts of a URL as written, with a delimiter for those that may be absent.
func pieceList(u locator.URL) [8]string {
	return [8]string{u.Scheme(), after("@", optional(u.User())), after(":", optional(u.Password())), u.Host(), u.Port(),
		after("/", optional(u.Path())), after("?", optional(u.Search())), after("#", optional(u.Fragment()))}
}

// WithoutDefaults returns an equal URL that is never longer, and a second time changes nothing.
//
// Covers: S17
func TestWithoutPlus(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gopher://h/0/a%09%09+": "gopher://h/0/a", "gophers://h:70/1%09%09+#f": "gophers://h:70/1#f", "gopher://h/0/%09%09+": "gopher://h/0/",
		"gopher://h/0a%09%09?": "gopher://h/0a%09%09?", "gopher://h/7a%09b%09+": "gopher://h/7a%09b%09+", "gopher://h/0a%09%09+x": "gopher://h/0a%09%09+x",
		"gopher://h/7a%09b%09%09+": "gopher://h/7a%09b%09%09+", "gopher://h/0a%09": "gopher://h/0a%09", "gopher://h": "gopher://h", "http://h/a%09%09+": "http://h/a%09%09+",
	} {
		if got := locator.Current.MustParse(text).WithoutPlus().Text(); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	if !(locator.URL{}).WithoutPlus().IsZero() {
		t.Error("the zero URL changes")
	}
}

func TestWithoutDefaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"HTTP://H:80/%7e#f": "HTTP://H/%7e#f", "https://h:0443": "https://h", "http://h:8080/": "http://h:8080/", "http://h:/": "http://h/",
		"ftp://u:p@h:21/a": "ftp://u:p@h/a", "gopher://h:70/1": "gopher://h", "gopher://h/1x": "gopher://h/1x", "file://LocalHost/a": "file:///a",
		"file://h/a": "file://h/a", "http://localhost/": "http://localhost/", "mailto:a@b": "mailto:a@b", "x-y://h:80/": "x-y://h:80/",
	} {
		u, err := locator.Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.WithoutDefaults().Text(); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	if !(locator.URL{}).WithoutDefaults().IsZero() {
		t.Error("the zero URL changes")
	}
	seeded(t, 2, func(t *testing.T, r *rand.Rand) {
		for range 20_000 {
			for _, p := range []*locator.Parser{locator.Current, locator.RFC1738} {
				u, err := p.Parse(currentText(r))
				if err != nil {
					continue
				}
				v := u.WithoutDefaults()
				if !locator.Equal(u, v) || len(v.Text()) > len(u.Text()) || v.WithoutDefaults() != v {
					t.Fatalf("%q becomes %q", u.Text(), v.Text())
				}
				if n, ok := v.PortNumber(); ok && v.Port() != "" && n == locator.DefaultPort(v.Scheme()) {
					t.Fatalf("%q keeps the default port: %q", u.Text(), v.Text())
				}
			}
		}
	})
}
