package main

import (
	"net/url"
	"strings"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme/all"
)

// No output of parse, explain and explain --compare shows the password of a URL within the URL, and no message about a URL that is not
// accessed. Hosts are shown.
//
// Covers: P3
func TestPasswordsWithin(t *testing.T) {
	t.Parallel()
	outer := []string{"%s", "http://outer.example/web/%s", "http://outer.example/?next=%s&x=y@z", "https://v:Qsecret2@outer.example/x#%s", "ftp://outer.example/a/%s",
		"gopher://outer.example/0%s", "gopher://outer.example/hURL:%s", "mailto:me@outer.example?body=%s", "prospero://outer.example/x/%s",
		"view-source:%s", "feed:%s", "jdbc:%s", "data:,%s", "http://outer.example/http://v:Qsecret2@second.example/%s", "http://outer.example /%s"}
	inner := []string{"http://u:Qsecret1@inner.example/p", "mysql://u:Qsecret1@inner.example:3306/db", "//u:Qsecret1@inner.example/", "mailto://u:Qsecret1@inner.example",
		"http://u:Qsecret1@inner.example:80\\@good.example/"}
	for _, o := range outer {
		for _, i := range inner {
			for range 3 {
				text := strings.Replace(o, "%s", i, 1)
				for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
					x := explainer{parser: p, registry: all.Registry(), policy: policy.New(policy.Options{})}.explain(text)
					x.compare(false)
					for _, out := range []string{string(x.appendObject(nil, false)), string(x.appendText(nil, false)), string(x.reading.appendText(nil, false))} {
						if strings.Contains(strings.ToLower(out), "qsecret") {
							t.Fatalf("%q shows\n%s", text, out)
						}
						if x.bad == nil && !strings.Contains(out, "inner.example") && !strings.Contains(out, "good.example") {
							t.Errorf("%q hides the host:\n%s", text, out)
						}
					}
				}
				i = url.QueryEscape(i)
			}
			text := strings.Replace(o, "%s", i, 1)
			for _, verb := range []string{"get", "list", "attr", "rm"} {
				if strings.HasPrefix(text, "http") || strings.HasPrefix(text, "ftp") || strings.HasPrefix(text, "gopher") {
					text = strings.Replace(text, "outer.example", "outer.example:1", 1) // a port that policy refuses
				}
				for _, args := range [][]string{{verb, text}, {verb, "--json", text}, {verb, "-v", "--trace", text}} {
					out, errs, _ := runText(t, "", args...)
					if strings.Contains(out+errs, "Qsecret") {
						t.Fatalf("%q shows\n%s%s", args, out, errs)
					}
				}
			}
		}
	}
	for _, text := range []string{"u:Qsecret1@inner.example/x", "u:Qsecret1@h", "user:Qsecret1@inner.example:21/x"} {
		for _, args := range [][]string{{"get", text}, {text}, {"get", "--json", text}, {"parse", text}, {"explain", text}, {"put", text}, {"mv", text, text}, {"get", "--dry-run", text}} {
			if out, errs, _ := runText(t, "", args...); strings.Contains(out+errs, "Qsecret") {
				t.Errorf("%q shows\n%s%s", args, out, errs)
			}
		}
	}
}
