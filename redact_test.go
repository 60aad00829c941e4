package locator

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"locator/internal/bnf"
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

// A password that has a "#" is masked on both sides of it, so that the redacted text stays a URL
// with a fragment.
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

// The redacted text stays a URL: the "@" of a message-id and the type of an ftp URL are not masked,
// whatever precedes them.
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

// No verb of package fmt prints the password of a URL or a view. (go vet rejects %p and %w here,
// for which package fmt calls no method.)
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
			// Redact returns the text up to the host as Redacted does; after it Redact may mask
			// more.
			masked := u.Redacted()[:int(u.userEnd)+1+len(mask)+1]
			if !strings.HasPrefix(once, masked) {
				t.Fatalf("Redact(%q) is %q, want %q...", s, once, masked)
			}
		}
	})
}

// Policy decodes only URLs that MayBeUnsafe reports, so delimiters has to hold all bytes that a
// view looks for.
//
// Covers: P2
func TestMayBeUnsafe(t *testing.T) {
	t.Parallel()
	look := func(text string, v View) {
		v.commandParts(func(part, _, stops string) {
			if other := strings.Trim(stops, delimiters); other != "" {
				t.Errorf("%s: the %s may not hold %q", text, part, other)
			}
		})
	}
	for _, text := range []string{
		"ftp://u:p@h/a/b;type=i", "http://h/a?b", "gopher://h/7a%09b%09+c", "mailto:a@b?c=d", "news:a@b", "news:a.b", "nntp://h/a.b/1", "telnet://u:p@h",
		"wais://h/d?e", "wais://h/d/t/p", "file://h/a", "prospero://h/a;b=c", "x-y:a",
	} {
		look(text, Current.MustParse(text).View())
	}
	for text, want := range map[string]bool{
		"ftp://h/%2Fetc/a%41%7F%21": false, "ftp://h/a": false, "ftp://h/a%0d": true, "ftp://h/a%0A/b": true, "gopher://h/1%2500": false,
		"gopher://h/7a%09b": true, "news:a%20b@h": true, "mailto:a@h?x%3ay=z": true, "mailto:a@h?x:y=z": true, "ftp://u:p@h:21/": false, "file:///a%00": true,
	} {
		u, err := Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		look(text, u.View())
		if got := u.MayBeUnsafe(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// Passwords of URLs within a URL are masked, too.
//
// Covers: P3, T73
func TestRedactedWithin(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"jdbc:mysql://u:secret@h/db":                                "jdbc:mysql://u:****@h/db",
		"view-source:http://u:secret@h/":                            "view-source:http://u:****@h/",
		"feed:https://u:secret@h/":                                  "feed:https://u:****@h/",
		"http://web.archive.org/web/http://u:secret@h/":             "http://web.archive.org/web/http://u:****@h/",
		"mailto://u:secret@h":                                       "mailto://u:****@h",
		"mailto:a@b?body=http://u:secret@h/":                        "mailto:a@b?body=http://u:****@h/",
		"http://h/?next=http://u:secret@k/&x=y":                     "http://h/?next=http://u:****@k/&x=y",
		"http://h/?next=http%3A%2F%2Fu%3Asecret%40k%2F":             "http://h/?next=http%3A%2F%2Fu%3A****%40k%2F",
		"http://h/?next=http%253a%252f%252fu%253asecret%2540k%252f": "http://h/?next=http%253a%252f%252fu%253a****%2540k%252f",
		"http://h/?next=http%3A//u:sec%2Fret@k/":                    "http://h/?next=http%3A//u:****@k/",
		"http://h/?next=http%3A%2F%2Fu%3Asec%252Fret%40k%2F":        "http://h/?next=http%3A%2F%2Fu%3A****%40k%2F",
		"http://h/#http://u:secret@k/":                              "http://h/#http://u:****@k/",
		"http://u:secret@h/http://v:secret@k/":                      "http://u:****@h/http://v:****@k/",
		"ftp://h/http:%2F%2Fu:secret@k/x":                           "ftp://h/http:%2F%2Fu:****@k/x",
		"x-y:z//u:se?c=ret@k":                                       "x-y:z//u:****?****=****@k", // "?" is a delimiter of the URL
		"u:secret@h/x":                                              "u:****@h/x",                // the scheme was forgotten
		"user:secret@h.example:21/x@y":                              "user:****@h.example:21/x@y",
		"tn3270:user:secret@h":                                      "tn3270:user:****@h",
		"nfs:user:secret@h/x":                                       "nfs:user:****@h/x",
		"z39.50r:user:secret@h#a":                                   "z39.50r:user:****@h#a",
		"mailto:u:pw#@h":                                            "mailto:u:****#@h",
		"mailto:u:#x@h":                                             "mailto:u:#****@h",
		// These are not logins.
		"http://h/u:secret@h":                "http://h/u:secret@h",
		"http://h/http://k:80/@me":           "http://h/http://k:80/@me",
		"http://h/https://medium.com/@me":    "http://h/https://medium.com/@me",
		"http://h/?to=me%40k.example":        "http://h/?to=me%40k.example",
		"http://h/?u=http%3A%2F%2Fk%3A80%2F": "http://h/?u=http%3A%2F%2Fk%3A80%2F",
		"xmpp:me@h":                          "xmpp:me@h",
		"sip:me@h":                           "sip:me@h",
		"x-y:me@h":                           "x-y:me@h",
		"pkg:npm/a@1.2":                      "pkg:npm/a@1.2",
		"http://h/?u=http://%5B::1%5D:80/@x": "http://h/?u=http://%5B::1%5D:80/@x",
	} {
		u, err := Current.Parse(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := u.Redacted(); got != want {
			t.Errorf("%s is redacted to %s, want %s", s, got, want)
		}
		var passwords []string
		for begin, end := range u.PasswordSpans() {
			passwords = append(passwords, s[begin:end])
		}
		if (want != s) != (len(passwords) > 0) || strings.Contains(want, "/u:****@") && passwords[0] != "secret" && !strings.Contains(s, "%2F") {
			t.Errorf("%s has the passwords %q", s, passwords)
		}
		if _, err := Current.Parse(want); err != nil {
			t.Errorf("the redacted %s: %v", s, err)
		}
	}
	for s, want := range map[string]string{
		`http://127.0.0.1:80\@good.com/`:      `http://127.0.0.1:80\@good.com/`,
		`http://127.0.0.1:80\x@good.com/`:     `http://127.0.0.1:80\x@good.com/`,
		`http://host:80\@good.com/`:           `http://host:80\@good.com/`,
		`http://localhost:8080#x@good.com/`:   `http://localhost:8080#x@good.com/`,
		`http://host:80# @good.com/`:          `http://host:80# @good.com/`,
		`http://127.0.0.1:80\u:secret@h/`:     `http://127.0.0.1:80\u:****@h/`,
		`http://user:80\secret@good.com/`:     `http://user:****@good.com/`, // what follows the number may belong to a password
		`http://user:2024#secret@good.com/`:   `http://user:****@good.com/`,
		`http://user:123456\@good.com/`:       `http://user:****@good.com/`, // no port
		"u:sec ret@h/x":                       "u:****@h/x",
		"Message: mail me@h":                  "Message: mail me@h",
		"GET /?u=http%3A%2F%2Fu%3Asecret%40k": "GET /?u=http%3A%2F%2Fu%3A****%40k",
	} {
		if got := Redact(s); got != want {
			t.Errorf("Redact(%q) is %q, want %q", s, got, want)
		}
	}
	_, err := Current.Parse(`http://127.0.0.1:80\@good.com/`)
	if err == nil || !strings.Contains(err.Error(), `\`) {
		t.Errorf("the error does not show the wrong byte: %v", err)
	}
}

var (
	_ encoding.TextMarshaler     = URL{}
	_ encoding.TextAppender      = URL{}
	_ encoding.TextUnmarshaler   = (*URL)(nil)
	_ encoding.BinaryMarshaler   = URL{}
	_ encoding.BinaryUnmarshaler = (*URL)(nil)
	_ flag.Value                 = (*URL)(nil)
	_ driver.Valuer              = URL{}
	_ sql.Scanner                = (*URL)(nil)
	_ slog.LogValuer             = URL{}
)

const wholeText = "ftp://me:s3cret@h/a;type=i"

// A program can store a URL as text, JSON, XML, flag or database value and read the same URL back.
//
// Covers: P3, S17
func TestWholeText(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	type record struct {
		URL  URL         `json:"url" xml:"url,attr"`
		List []URL       `json:"list" xml:"list"`
		By   map[URL]int `json:"by" xml:"-"`
		None URL         `json:"none" xml:"none"`
	}
	in := record{URL: u, List: []URL{u, {}}, By: map[URL]int{u: 1}}

	text, err := json.Marshal(in)
	if want := `{"url":"` + wholeText + `","list":["` + wholeText + `",""],"by":{"` + wholeText + `":1},"none":""}`; err != nil || string(text) != want {
		t.Errorf("got JSON %s, %v; want %s", text, err, want)
	}
	var out record
	if err := json.Unmarshal(text, &out); err != nil || fmt.Sprintf("%#v", out) != fmt.Sprintf("%#v", in) || out.By[u] != 1 || out.List[0] != u {
		t.Errorf("got %#v, %v from JSON", out, err)
	}

	text, err = xml.Marshal(in)
	out = record{}
	if err != nil || xml.Unmarshal(text, &out) != nil || out.URL != u || out.List[0] != u || !out.None.IsZero() {
		t.Errorf("got %#v, %v from the XML %s", out, err, text)
	}

	var octets bytes.Buffer
	out = record{}
	if err := gob.NewEncoder(&octets).Encode(in); err != nil || gob.NewDecoder(&octets).Decode(&out) != nil || fmt.Sprintf("%#v", out) != fmt.Sprintf("%#v", in) || out.URL != u {
		t.Errorf("got %#v, %v from gob", out, err)
	}

	if text, err := u.AppendText([]byte("to ")); err != nil || string(text) != "to "+wholeText {
		t.Errorf("appended is %q, %v", text, err)
	}
	if v, err := u.Value(); err != nil || v != wholeText {
		t.Errorf("got the database value %v, %v", v, err)
	}
}

// Printed URLs are redacted: in fmt, usage messages and logs.
//
// Covers: P3, T77
func TestShownText(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	const masked = "ftp://me:****@h/a;type=i"
	var b bytes.Buffer
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.SetOutput(&b)
	v := u
	set.Var(&v, "base", "the base URL")
	set.PrintDefaults()
	text := slog.New(slog.NewTextHandler(&b, nil))
	text.Info("seen", "url", u, "list", []URL{u}, slog.Group("in", "url", &u))
	slog.New(slog.NewJSONHandler(&b, nil)).Info("seen", "url", u, slog.Group("in", "url", &u))
	text.With("url", u).Info("seen")
	fmt.Fprintln(&b, u, &u, []any{u}, u.String(), u.LogValue())
	if got := b.String(); strings.Contains(got, "s3cret") || strings.Count(got, masked) != 12 {
		t.Errorf("redacted %d times in\n%s", strings.Count(got, masked), got)
	}
}

// Covers: S17
func TestFlag(t *testing.T) {
	t.Parallel()
	var u URL
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.SetOutput(&bytes.Buffer{})
	set.Var(&u, "base", "the base URL")
	if err := set.Parse([]string{"-base", "https://h/~a#b"}); err != nil || u.Text() != "https://h/~a#b" {
		t.Errorf("got the flag %v, %v", u, err)
	}
	if err := set.Parse([]string{"-base", "ftp://h/a b"}); err == nil || !strings.Contains(err.Error(), "at byte 9") || u.Text() != "https://h/~a#b" {
		t.Errorf("an invalid flag returns %v, and the URL is %v", err, u)
	}
	if err := set.Parse([]string{"-base="}); err != nil || !u.IsZero() {
		t.Errorf("an empty flag sets %v, %v", u, err)
	}
}

// Covers: S17
func TestScan(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	for _, c := range []struct {
		src  any
		want URL
	}{{wholeText, u}, {[]byte(wholeText), u}, {nil, URL{}}, {"", URL{}}, {[]byte{}, URL{}}} {
		got := MustParse("news:*")
		if err := got.Scan(c.src); err != nil || got != c.want {
			t.Errorf("%T %v is %v, %v", c.src, c.src, got, err)
		}
	}
	got := u
	for _, src := range []any{1, 2.5, true, struct{}{}} {
		if err := got.Scan(src); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%T", src)) || got != u {
			t.Errorf("%T returned %v, and %v", src, err, got)
		}
	}
	var bad *SyntaxError
	if err := got.Scan("ftp://me:s3 cret@h/"); !errors.As(err, &bad) || strings.Contains(err.Error(), "cret") || got != u {
		t.Errorf("an invalid column returns %v, and the URL is %v", err, got)
	}

	// The conversion of database/sql.
	if v, err := driver.DefaultParameterConverter.ConvertValue(u); err != nil || v != wholeText {
		t.Errorf("a parameter is %v, %v", v, err)
	}
	if v, err := driver.DefaultParameterConverter.ConvertValue(URL{}); err != nil || v != nil {
		t.Errorf("the zero URL as a parameter is %v, %v", v, err)
	}
	var null sql.Null[URL]
	if err := null.Scan(wholeText); err != nil || !null.Valid || null.V != u {
		t.Errorf("a column is %+v, %v", null, err)
	}
}

// An invalid text leaves the URL unchanged, and the error has the offset.
func TestUnmarshalErrors(t *testing.T) {
	t.Parallel()
	u := MustParse(wholeText)
	var bad *SyntaxError
	for _, text := range []string{"x", "<URL:ftp://h/>", "ftp://me:s3 cret@h/", " "} {
		if err := u.UnmarshalText([]byte(text)); !errors.As(err, &bad) || u.Text() != wholeText {
			t.Errorf("%q returned %v, and %v", text, err, u)
		}
	}
	var out struct{ URL URL }
	err := json.Unmarshal([]byte(`{"URL":"ftp://h/~x y"}`), &out)
	if !errors.As(err, &bad) || bad.Offset != 10 || !out.URL.IsZero() {
		t.Errorf("got %v from JSON, and the URL %v", err, out.URL)
	}
}

// A URL does not share memory with the bytes it is parsed from: changing the bytes does not change
// the URL.
func TestUnmarshalCopies(t *testing.T) {
	t.Parallel()
	text := []byte(wholeText)
	var a, b URL
	if a.UnmarshalText(text) != nil || b.Scan(text) != nil {
		t.Fatal("cannot unmarshal")
	}
	out, _ := a.MarshalText()
	clear(text)
	clear(out)
	if a.Text() != wholeText || b.Text() != wholeText {
		t.Errorf("the URLs became %v and %v", a, b)
	}
}

// Covers: S17, S18
func TestMarshalRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 18))
	schemes := bnf.Schemes()
	for i := range 3000 {
		checkMarshal(t, bnf.RFC1738().Generate(bnf.RuleOf(schemes[i%len(schemes)]), r, 1+r.IntN(60)))
	}
}

// FuzzMarshal checks that a URL of Current survives text, JSON, flags and databases, and that one
// of RFC 1738 is equal afterwards if Current accepts it.
func FuzzMarshal(f *testing.F) {
	for _, s := range []string{wholeText, "https://[::1]/~?a#b", "x:", "news:a@b", "http://h/?&<>\"", "https:a", "file:///c%3A/\u00E9", "\xFF:", "cid:a%20b"} {
		f.Add(s)
	}
	f.Fuzz(checkMarshal)
}

func checkMarshal(t *testing.T, s string) {
	for _, p := range []*Parser{RFC1738, Current} {
		u, err := p.Parse(s)
		if err != nil {
			continue
		}
		var list [4]URL
		text, _ := u.MarshalText()
		quoted, err := json.Marshal(u)
		value, _ := u.Value()
		if _, bad := Current.Parse(s); bad != nil {
			if list[0].UnmarshalText(text) == nil || json.Unmarshal(quoted, &list[1]) == nil || list[2].Scan(value) == nil || list[3].Set(s) == nil {
				t.Fatalf("%q is read back as %v, and Current rejects it: %v", s, list, bad)
			}
			continue
		}
		err = errors.Join(err, list[0].UnmarshalText(text), json.Unmarshal(quoted, &list[1]), list[2].Scan(value), list[3].Set(u.Text()))
		for i, got := range list {
			if err != nil || got.Text() != s || !Equal(got, u) || p == Current && got != u {
				t.Fatalf("%s: %q comes back %q (%d), %v", p.Name(), s, got.Text(), i, err)
			}
		}
	}
}
