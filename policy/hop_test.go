package policy_test

import (
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
	"locator/vet"
)

// Covers: A6, P5, T52, T54, T149, T152
func TestHops(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	down := policy.New(policy.Options{AllowDowngrade: true})
	for _, c := range []struct {
		kind     scheme.HopKind
		from, to string
		want     string // "" is allowed
	}{
		{scheme.HopRedirect, "http://a/", "http://b/", ""},
		{scheme.HopRedirect, "http://a/", "https://a/", ""},
		{scheme.HopRedirect, "https://a/", "https://b/", ""},
		{scheme.HopRedirect, "https://a/", "http://a/", "TLS"},
		{scheme.HopRedirect, "http://a/", "ftp://a/", "changes the protocol"},
		{scheme.HopRedirect, "https://a/", "gopher://a/", "changes the protocol"},
		{scheme.HopRedirect, "http://a/", "mailto:a@b", "changes the protocol"},
		{scheme.HopRedirect, "http://a/", "telnet://a", "changes the protocol"},
		{scheme.HopRedirect, "http://a/", "x-other:y", "changes the protocol"},
		{scheme.HopRedirect, "http://a/", "news:a.b", "changes the protocol"},
		{scheme.HopRedirect, "gopher://a/", "gopher://b/1x", ""},
		{scheme.HopRedirect, "gopher://a/", "gophers://b/1x", ""},
		{scheme.HopRedirect, "gophers://a/", "gopher://b/1x", "TLS"},
		{scheme.HopRedirect, "gopher://a/", "http://b/", "changes the protocol"},
		{scheme.HopRedirect, "ftp://a/", "ftps://a/", ""},
		{scheme.HopRedirect, "news:a.b", "nntp://h/a.b", ""},
		{scheme.HopRedirect, "", "http://b/", "unknown scheme"},
		{scheme.HopMenuItem, "https://a/", "http://b/", ""},
		{scheme.HopMenuItem, "gopher://a/", "http://b/", ""},
		{scheme.HopMenuItem, "gopher://a/", "telnet://b", ""},
		{scheme.HopMenuItem, "http://a/", "ftp://b/", ""},
		{scheme.HopReferral, "prospero://a/x", "ftp://b/y", ""},
		{scheme.HopReferral, "prospero://a/x", "prospero://b/y", ""},
		{scheme.HopRedirect, "http://a/", "file:///etc/passwd", "local file"},
		{scheme.HopMenuItem, "http://a/", "file:///etc/passwd", "local file"},
		{scheme.HopMenuItem, "gopher://a/", "file://localhost/etc/passwd", "local file"},
		{scheme.HopMenuItem, "ftp://a/", "FILE:///etc/passwd", "local file"},
		{scheme.HopReferral, "prospero://a/x", "file:///etc/passwd", "local file"},
		{scheme.HopKind(200), "http://a/", "file:///etc/passwd", "local file"},
		// The other rules apply to hops, too.
		{scheme.HopMenuItem, "gopher://a/", "gopher://b:25/", "port 25"},
		{scheme.HopRedirect, "http://a/", "http://b:25/", "port 25"},
		{scheme.HopMenuItem, "gopher://a/", "gopher://b/0x%0D%0Ay", "selector"},
	} {
		h := scheme.Hop{Kind: c.kind}
		if c.from != "" {
			h.From = current(t, c.from)
		}
		code := scheme.CodeOK
		if c.want != "" {
			code = scheme.CodeRefused
		}
		what := c.from + " to " + c.to
		judge(t, what, p.URL(current(t, c.to), h), code, c.want)
		if c.want == "TLS" {
			judge(t, what+", downgrade allowed", down.URL(current(t, c.to), h), scheme.CodeOK)
		}
	}
}

// A listing of a local directory leads to its entries only.
//
// Covers: P5, T157
func TestHopsBelowADirectory(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"file:///a/b/", "file:///a/b/c", true},
		{"file:///a/b", "file:///a/b/c", true},
		{"file:///a/b/", "file://localhost/a/b/c/", true},
		{"file://LOCALHOST/a/b/", "file:///a/b/c/d", true},
		{"file://this.example/a/", "file://this.example/a/b", true},
		{"file:///", "file:///etc", true},
		{"file:///a/", "file:///a/b%20c%25", true},
		{"file:///a/b/", "file:///a/c", false},
		{"file:///a/b/", "file:///a/b", false},
		{"file:///a/b/", "file:///a", false},
		{"file:///a/b/", "file:///a/bc", false},
		{"file:///a/b/", "file:///etc/passwd", false},
		{"file:///a/b/", "file:///a/b/../../etc/passwd", false},
		{"file:///a/b/", "file:///a/b/%2E%2E/x", false},
		{"file:///a/b/", "file:///a/b/./x", false},
		{"file:///a/b/", "file:///a/b//x", false},
		{"file:///a/b/", "file:///a/b/c%2F..%2F..%2Fx", false},
		{"file:///a/b/", "file:///a/b/%2Fetc", false},
		{"file:///a/b/", "file://other.example/a/b/c", false},
		{"file://this.example/a/", "file:///a/b", false},
		{"http://h/a/b/", "file:///a/b/c", false},
	} {
		from, to := current(t, c.from), current(t, c.to)
		for _, kind := range []scheme.HopKind{scheme.HopMenuItem, scheme.HopRedirect, scheme.HopReferral} {
			code := scheme.CodeRefused
			if c.ok && kind == scheme.HopMenuItem {
				code = scheme.CodeOK
			}
			judge(t, c.from+" to "+c.to, p.URL(to, scheme.Hop{Kind: kind, From: from}), code)
		}
	}
	judge(t, "from nowhere", p.URL(current(t, "file:///a"), scheme.Hop{Kind: scheme.HopMenuItem}), scheme.CodeRefused)
	judge(t, "by the user", p.URL(current(t, "file:///etc/passwd"), direct), scheme.CodeOK)
}

// FuzzURL checks that the policy returns only errors of its codes, refuses what Vet reports as a
// danger, and that the URLs it allows become valid command lines.
//
// Covers: P1, P2, S4
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"ftp://u:p@h:21/a/b;type=a", "ftp://h/a%0D%0AQUIT", "http://h:25/", "http://[::1]:8080/a?b#c", "gopher://h:70/7a%09b%09+",
		"gopher://h/0ask%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A", "gopher://256.1.1.1:0/", "mailto:a%0Ab@h", "news:a%20b@c", "nntp://h/g/1",
		"telnet://u%0D:p@h", "wais://h:210/d?s", "file:///a%00", "prospero://h/a;b=%0D", "x-other://u:p@h:99999/", "file:///a/b/c", "A://[::]", "http://0.0.0.0/",
	} {
		f.Add(seed, uint8(0), 0)
		f.Add(seed, uint8(2), 11)
	}
	menu := current(f, "gopher://h/1")
	dir := current(f, "file:///a/")
	p := policy.New(policy.Options{})
	f.Fuzz(func(t *testing.T, text string, kind uint8, n int) {
		u, err := locator.Current.Parse(text)
		if err != nil {
			return
		}
		err = p.URL(u, direct)
		if err != nil {
			judge(t, text, err, scheme.CodeRefused)
		}
		for _, found := range vet.URL(u) {
			if found.Severity == vet.SeverityDanger && err == nil {
				t.Errorf("%q is allowed in spite of %+v", text, found)
			}
		}
		if err == nil {
			checkLines(t, u)
		}
		for _, from := range []locator.URL{menu, dir, {}} {
			hop := p.URL(u, scheme.Hop{Kind: scheme.HopKind(kind), From: from, N: n})
			if err != nil && hop == nil {
				t.Errorf("%q is allowed to a server but not to the user", text)
			}
			if kind%4 != 0 && hop == nil && u.Scheme() == "file" && from != dir {
				t.Errorf("%q is allowed to a server", text)
			}
		}
	})
}

// checkLines checks that package wire accepts the parts of a URL that the policy allows.
func checkLines(t *testing.T, u locator.URL) {
	var parts []string
	switch v := u.View().(type) {
	case *locator.FTP:
		parts = append(v.Dirs, v.Name.Or(""), v.User.Or(""), v.Password.Or(""))
	case *locator.Gopher:
		parts = []string{v.Type.Or(""), v.Selector.Or(""), v.Search.Or("")}
	case *locator.Mailto:
		parts = []string{v.Address}
	case *locator.News:
		parts = []string{v.Article, v.Group}
	case *locator.NNTP:
		parts = []string{v.Group, v.Article.Or("")}
	case *locator.Telnet:
		parts = []string{v.User.Or(""), v.Password.Or("")}
	}
	for _, p := range parts {
		for _, c := range []byte(p) {
			if c == '\r' || c == '\n' || c == 0 {
				t.Errorf("%s: %q got through", u, p)
			}
		}
	}
}
