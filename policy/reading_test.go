package policy_test

import (
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// RFC 1738 has no rule for https and finds no host in its URLs, but every client does. A program that asks only the policy is
// protected, too.
//
// Covers: S4, P5, T117
func TestURLOfAnotherReading(t *testing.T) {
	t.Parallel()
	strangers, standard := policy.Strangers(), policy.New(policy.Options{})
	for _, text := range []string{
		"https://0x7f.1/", "https://2130706433/", "https://127.1?x", "https://h:99999?x", "https://[::1%25eth0]/", "https://host:25/",
		"https://127.0.0.1\\@good.example/", "https://good.example:80\\@127.0.0.1/", "ftps://0x7f.1/x", "gophers://0x7f.1/x", "nntps://0x7f.1/g",
		"https://h/%zz", "https:///x", "x-unknown://0x7f.1/",
	} {
		u, err := locator.Parse(text)
		if err != nil {
			continue // nothing to judge
		}
		t.Run(text, func(t *testing.T) {
			judge(t, "Strangers", strangers.URL(u, direct), scheme.CodeRefused)
			judge(t, "Check", strangers.Check(u), scheme.CodeRefused)
			judge(t, "Standard", standard.URL(u, direct), scheme.CodeRefused)
		})
	}
	for _, text := range []string{"https://127.0.0.1/", "https://10.0.0.1?x", "https://localhost/", "ftps://192.168.0.1/"} {
		u, err := locator.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		judge(t, text, strangers.Check(u), scheme.CodeRefused)
		judge(t, text, standard.URL(u, direct), scheme.CodeOK)
	}
	for _, text := range []string{"https://www.example.com/a?b", "x-unknown:anything at all", "urn:isbn:1", "https://8.8.8.8/"} {
		u, err := locator.Parse(text)
		if err != nil {
			continue
		}
		judge(t, text, standard.URL(u, direct), scheme.CodeOK)
	}
}
