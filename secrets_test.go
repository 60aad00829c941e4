package locator

import (
	"strings"
	"testing"
)

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
		// These are no logins.
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
