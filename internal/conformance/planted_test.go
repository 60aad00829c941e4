package conformance

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"locator"
	"locator/repair"
)

// planted returns a text with a password in it, at a random place of a URL or of one within it, and
// its hosts.
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
	shown := []string{locator.Redact(text)}
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		u, err := p.Parse(text)
		if err != nil {
			shown = append(shown, err.Error(), fmt.Sprintf("%#v", err))
			err = repair.Suggest(p, text, err)
			shown = append(shown, err.Error(), fmt.Sprintf("%#v", err))
			continue
		}
		shown = append(shown, u.Redacted(), u.String(), fmt.Sprintf("%v %q %#v %d", u, u, u, u), u.Readable(), repair.Hint(u), u.LogValue().String(),
			u.Canonical().String(), u.ASCII().String())
		if v, ok := u.View().(fmt.Formatter); ok { // the others have no login
			shown = append(shown, fmt.Sprint(v), fmt.Sprintf("%#v", v))
		}
	}
	return shown
}

// A password at any place of a URL, or of one within it, shows nowhere. Hosts stay visible.
//
// Covers: P3, S2, T73
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
			if got := locator.Redact(text); !strings.Contains(got, host) {
				t.Fatalf("Redact(%q) hides the host %s: %q", text, host, got)
			}
			if u, err := locator.Current.Parse(text); err == nil && !strings.Contains(u.String(), host) {
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
		for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
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
