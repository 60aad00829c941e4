package locator

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// Passwords of URLs within a URL are masked, too.
//
// Covers: P3
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
		for p := range u.Passwords() {
			passwords = append(passwords, p)
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

// planted returns a text with a password in it, at a random place of a URL or of one within it, and its hosts.
func planted(r *rand.Rand, secret string) (text string, hosts []string) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text = pick("http", "ftp", "mysql", "x-new", "https", "gopher", "telnet") + "://" + pick("u", "", "joe.smith", "u%40v") + ":" + secret + "@h0.example" + pick("", "/", ":80/p", "/a:b", "/?x=y")
	if r.IntN(8) == 0 {
		text = "//u:" + secret + "@h0.example/"
	}
	hosts = []string{"h0.example"}
	if r.IntN(10) == 0 {
		return "user:" + secret + "@h0.example" + pick("", "/x", ":21/x"), hosts
	}
	for n := range r.IntN(3) {
		switch r.IntN(5) {
		case 0:
			text = url.QueryEscape(text)
		case 1:
			text = strings.ToLower(url.PathEscape(text))
		case 2:
			if strings.HasPrefix(text, "//") { // it would be the host of the URL around it
				break
			}
			text = strings.NewReplacer(":", "%3A", "@", "%40").Replace(text)
		}
		host := fmt.Sprintf("h%d.example", n+1)
		outer := pick("http://HOST/web/%s", "http://HOST/?next=%s", "https://HOST/?a=b@c&next=%s&d=e", "https://HOST/x#%s", "ftp://HOST/a/%s",
			"gopher://HOST/0%s", "gopher://HOST/hURL:%s", "mailto:me@HOST?body=%s", "prospero://HOST/x/%s", "http://me@HOST/%s",
			"http://v:"+secret+"@HOST/%s", "view-source:%s", "feed:%s", "jdbc:%s", "x-new:%s", "urn:x:%s", "data:,%s", "nobody-knows:%s")
		if strings.Contains(outer, "HOST") {
			hosts = append(hosts, host)
		}
		text = strings.ReplaceAll(strings.ReplaceAll(outer, "HOST", host), "%s", text)
	}
	return text + pick("", "", " ", "~|", "\x00", "[", "<"), hosts // the last ones make it malformed
}

// shownForms returns everything that shows a text.
func shownForms(text string) []string {
	shown := []string{Redact(text)}
	for _, p := range []*Parser{RFC1738, Current} {
		u, err := p.Parse(text)
		if err != nil {
			shown = append(shown, err.Error(), fmt.Sprintf("%#v", err))
			continue
		}
		shown = append(shown, u.Redacted(), u.String(), fmt.Sprintf("%v %q %#v %d", u, u, u, u), u.Readable(), u.Hint(), u.LogValue().String(),
			u.Canonical().String(), u.ASCII().String())
		if v, ok := u.View().(fmt.Formatter); ok { // the others have no login
			shown = append(shown, fmt.Sprint(v), fmt.Sprintf("%#v", v))
		}
	}
	return shown
}

// A password at any place of a URL, or of one within it, shows nowhere. Hosts stay visible.
//
// Covers: P3, S2
func TestPlantedPasswords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 38))
	for range 20_000 {
		const secret = "QzXqJw"
		text, hosts := planted(r, secret[:2]+[]string{"", "", "1", "-", "%2D", "!", "%3A"}[r.IntN(7)]+secret[2:])
		for _, shown := range shownForms(text) {
			low := strings.ToLower(shown)
			if strings.Contains(low, "xqjw") {
				t.Fatalf("%q shows %q", text, shown)
			}
		}
		for _, host := range hosts {
			if got := Redact(text); !strings.Contains(got, host) {
				t.Fatalf("Redact(%q) hides the host %s: %q", text, host, got)
			}
			if u, err := Current.Parse(text); err == nil && !strings.Contains(u.String(), host) {
				t.Fatalf("%q hides the host %s: %q", text, host, u)
			}
		}
	}
}

// FuzzPlanted plants a password into any text.
func FuzzPlanted(f *testing.F) {
	f.Add("http://h/?next=", "/x", uint8(0))
	f.Add("jdbc:", "", uint8(1))
	f.Add("mailto:a@b?body=", "&c=d", uint8(2))
	f.Add("A://0", "0", uint8(2))
	f.Add("A://0", "@", uint8(2))
	f.Fuzz(func(t *testing.T, before, after string, level uint8) {
		const secret = "QzXqJw"
		inner := "//u:" + secret + "@h.example/"
		for range level % 3 {
			inner = url.QueryEscape(inner)
		}
		if strings.Contains(before+after, secret) || strings.HasSuffix(before, "/") || strings.HasSuffix(before, `\`) || strings.Contains(before, "%") {
			return // "///" and "%%2F" are other logins
		}
		for _, p := range []*Parser{RFC1738, Current} {
			if u, err := p.Parse(before + inner + after); err == nil {
				if user, _ := u.User(); strings.Contains(user+u.Host(), secret) {
					return // a name, which is shown
				}
			}
		}
		for _, shown := range shownForms(before + inner + after) {
			if strings.Contains(shown, secret) {
				t.Fatalf("%q shows %q", before+inner+after, shown)
			}
		}
	})
}
