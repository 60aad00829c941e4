package locator

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Covers: P3
func TestRedacted(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"ftp://u:secret@h/":              "ftp://u:****@h/",
		"ftp://u:@h/":                    "ftp://u:@h/",
		"ftp://u@h/":                     "ftp://u@h/",
		"ftp://:secret@h:21/a:b@c":       "ftp://:****@h:21/a:b@c",
		"telnet://u:secret@h":            "telnet://u:****@h",
		"http://h/u:secret@h":            "http://h/u:secret@h", // a path
		"mailto:u:secret@h":              "mailto:u:****@h",     // an address has no colon
		"mailto:u:se@cret@h?cc=a:b@c":    "mailto:u:****@h?cc=a:b@c",
		"mailto:a@b,u:se,cret@h,c@d":     "mailto:a@b,u:****@h,c@d",
		"mailto:u%3Asecret%40h":          "mailto:u%3A****%40h",
		"mailto:%22a:b%22@c,%22d%22@e":   "mailto:%22a:b%22@c,%22d%22@e", // quoted
		"mailto:Us:%20a@b,c@d;":          "mailto:Us:%20a@b,c@d;",        // a group
		"mailto:a@%5BIPv6:::1%5D,b@c":    "mailto:a@%5BIPv6:::1%5D,b@c",
		"news:u:secret@h":                "news:u:secret@h", // a message-id
		"x-y://u:secret@h/":              "x-y://u:****@h/",
		"x-y://u:secret@h_/":             "x-y://u:****@h_/", // not a login by the grammar, but meant as one
		"x-y://u:sec:ret@h1,h2@h3/a:b@c": "x-y://u:****@h3/a:b@c",
		"x-y://u:@h/":                    "x-y://u:@h/",
		"x-y:u:secret@h":                 "x-y:u:secret@h",
		"https://u:secret@h/":            "https://u:****@h/",
	} {
		u := MustParse(s)
		if got := u.Redacted(); got != want {
			t.Errorf("%s is redacted to %s", s, got)
		}
		r, err := Parse(u.Redacted())
		if err != nil {
			t.Errorf("%s: the redacted text is not a URL: %v", s, err)
		} else if u.HasHost() && r.Host() != u.Host() || r.Scheme() != u.Scheme() {
			t.Errorf("%s: the redacted URL has different parts", s)
		}
	}
}

// A password that has a "#" is masked on both sides of it, so that the redacted text stays a URL with a fragment.
//
// Covers: P3
func TestRedactKeepsFragment(t *testing.T) {
	t.Parallel()
	u := Current.MustParse("mailto:u:se#cret@h?")
	if got := u.Redacted(); got != "mailto:u:****#****@h?" {
		t.Errorf("got %s", got)
	}
	if _, err := Current.Parse(u.Readable()); err != nil {
		t.Error(err)
	}
}

// The redacted text stays a URL: the "@" of a message-id and the type of an ftp URL are not masked, whatever precedes them.
//
// Covers: P3
func TestRedactedParses(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"news://,%Cc:16940//x:;@:#@?":            "news://,%Cc:16940//x:;@****#@?",
		"SNeWS:/?=/:///;:;&@&#@//@?=?":           "SNeWS:/?=/:///;:;&@&#@//@?=?",
		"ftp://h:7//:=/@:?;type=I#;///@u:p:q@/":  "ftp://h:7//:=/****?;type=I#;///****@/",
		"ftp://u:secret@h/http://a:b@c/;type=a":  "ftp://u:****@h/http://a:****@c/;type=a",
		"ftp://u:;type=i@h/http://a:b@c/;type=a": "ftp://u:****@h/http://a:****@c/;type=a",
	} {
		u, err := Current.Parse(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if got := u.Redacted(); got != want {
			t.Errorf("%s is redacted to %s, want %s", s, got, want)
		}
		if _, err := Current.Parse(u.Redacted()); err != nil {
			t.Errorf("%s is redacted to %s: %v", s, u.Redacted(), err)
		}
	}
}

// No verb of package fmt prints the password of a URL or a view. (go vet rejects %p and %w here, for which package fmt
// calls no method.)
//
// Covers: P3
func TestFormat(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	values := []any{}
	for _, s := range []string{"ftp://u:hunter2@h/", "telnet://u:hunter2@h/", "x-y://u:hunter2@h/", "https://u:hunter2@h/"} {
		u := MustParse(s)
		values = append(values, u, &u, u.View(), []URL{u}, map[URL]URL{u: u}, struct{ U URL }{u}, struct{ V View }{u.View()})
	}
	login := Login{User: Some("u"), Password: Some(secret), Hostport: Hostport{Host: "h"}}
	values = append(values, login, FTP{Login: login}, Telnet{Login: login}, HTTP{Login: login}, &HTTP{Login: login},
		Other{Name: "x", Part: "//u:hunter2@h"}, FTP{Login: Login{Password: Some(secret)}}, Login{Password: Some(secret)})
	for _, v := range values {
		for _, verb := range "vsqxXdtcbeEfFgGUOo" {
			for _, flag := range []string{"", "+", "#", " ", "-40", "0", ".50", "+#"} {
				format := "%" + flag + string(verb)
				got := fmt.Sprintf(format, v)
				plain, _ := hex.DecodeString(strings.ToLower(strings.ReplaceAll(got, " ", "")))
				if strings.Contains(got, secret) || strings.Contains(string(plain), secret) {
					t.Errorf("%s prints %s", format, got)
				}
			}
		}
	}
	u := MustParse("ftp://u:hunter2@h/")
	for format, want := range map[string]string{
		"%v": "ftp://u:****@h/", "%s": "ftp://u:****@h/", "%q": `"ftp://u:****@h/"`, "%#v": `locator.URL{"ftp://u:****@h/"}`,
		"%20s": "     ftp://u:****@h/", "%.3s": "ftp", "%d": `%!d(locator.URL{"ftp://u:****@h/"})`,
	} {
		if got := fmt.Sprintf(format, u); got != want {
			t.Errorf("%s prints %s, want %s", format, got, want)
		}
	}
}

// Covers: P3
func TestRedactText(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                          "",
		"ftp://host.dom/~x":         "ftp://host.dom/~x",
		"http://u:secret@h/":        "http://u:****@h/",
		"ftp://:secret@h/":          "ftp://:****@h/",
		"ftp://:se/cr et@h/":        "ftp://:****@h/",
		`http:\\:secret@h/`:         `http:\\:****@h/`,
		"ftp://u:se/cr/et@h/":       "ftp://u:****@h/",
		"ftp://u:se@cr et@h/":       "ftp://u:****@h/",
		"ftp://u:se#cret@h/":        "ftp://u:****@h/",
		"ftp://u:@h/~":              "ftp://u:@h/~",
		"ftp://u:/cret@h/":          "ftp://u:****@h/",
		"ftp://h:21/a@~":            "ftp://h:21/a@~",
		"ftp:u:secret@h/":           "ftp:u:****@h/",
		"ftp:/u:secret@h/":          "ftp:/u:****@h/",
		`http:\\u:secret@h/`:        `http:\\u:****@h/`,
		"URL:ftp://u:secret@h/~":    "URL:ftp://u:****@h/~",
		"<URL:ftp://u:secret@h/~>":  "<URL:ftp://u:****@h/~>",
		"//u:secret@h/":             "//u:****@h/",
		"a//u:se@h//v:cret@h":       "a//u:****@h//v:****@h",
		"mailto:u:a secret@h":       "mailto:u:****@h",
		"mailto:u:se?cret@h":        "mailto:u:****@h",
		"mailto:u:se<cret@h?cc=d@e": "mailto:u:****@h?cc=d@e",
		"news:u:no secret@h":        "news:u:no secret@h",
		"http://[::1]:80/@~":        "http://[::1]:80/@~",
		"http://h/~a:b@c":           "http://h/~a:b@c",
		"x y://u:secret@h":          "x y://u:****@h",
		"ftp://u:secret":            "ftp://u:secret", // without "@" this is a host and an invalid port
		"http://h/ ftp://u:secr@h/": "http://h/ ftp://u:****@h/",
		"http://[u:secret@h]/":      "http://[u:****@h]/", // brackets of an IPv6 address around all
		"http://[u:secret@::1]/":    "http://[u:****@::1]/",
		`\\u:secret@h`:              `\\u:****@h`, // browsers take backslashes for slashes
		`x\\u:secret@h\y`:           `x\\u:****@h\y`,
		"http://[::1]:80/a@b":       "http://[::1]:80/a@b",
	} {
		if got := Redact(s); got != want {
			t.Errorf("Redact(%q) is %q, want %q", s, got, want)
		}
	}
}

// The error for a malformed URL with a password contains no byte of the password.
//
// Covers: P3, S2, T72
func TestErrorsHoldNoPassword(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1738))
	const password = "QJQJQJQJ"
	for range 20_000 {
		secret := []byte(password)
		for range r.IntN(3) {
			// A byte that is not allowed in a password, or that ends it.
			i := r.IntN(len(secret))
			secret[i] = " ~#%/:@?|\\[\x00\xff"[r.IntN(13)]
		}
		if strings.Contains(string(secret), "@") && strings.Contains(string(secret), "/") {
			continue // the text before the "/" is a complete login
		}
		scheme := []string{"ftp", "http", "gopher", "telnet", "wais", "file", "prospero", "nntp", "x-y", "https"}[r.IntN(10)]
		user := []string{"user", ""}[r.IntN(2)]
		s := scheme + "://" + user + ":" + string(secret) + "@host/~|"
		for _, p := range []*Parser{RFC1738, Current} {
			_, err := p.Parse(s)
			if err == nil {
				t.Fatalf("%q is accepted", s)
			}
			if strings.ContainsAny(err.Error(), "QJ") {
				t.Fatalf("%q: %v", s, err)
			}
		}
		if got := Redact(s); strings.ContainsAny(got, "QJ") {
			t.Fatalf("Redact(%q) is %q", s, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"ftp://u:p@h/", "ftp:u:p/q@h", "//a:b@c//d:e@f", "<URL:x://u:p@h>", "http://[::1]:80/@", "mailto:a:b@c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Redact(s)
		if again := Redact(once); again != once {
			t.Fatalf("Redact(%q) is %q, and of that %q", s, once, again)
		}
		u, err := RFC1738.Parse(s)
		if err != nil {
			return
		}
		if password, _ := u.Password(); password != "" {
			// Redact returns the text up to the host as Redacted does; after it Redact may mask more.
			masked := u.Redacted()[:int(u.userEnd)+1+len(mask)+1]
			if !strings.HasPrefix(once, masked) {
				t.Fatalf("Redact(%q) is %q, want %q...", s, once, masked)
			}
		}
	})
}
