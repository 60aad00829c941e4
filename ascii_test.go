package locator

import (
	"net/url"
	"strings"
	"testing"
)

// The ASCII form is for programs that do not decode hosts: net/url reads the host there that is looked up.
//
// Covers: S21f, T207
func TestASCIIForNetURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://%67ood.example/%67?x#y":  "https://good.example/%67?x#y",
		"http://b%C3%BCcher.example/":     "http://xn--bcher-kva.example/",
		"http://bücher.example/ü":         "http://xn--bcher-kva.example/%C3%BC",
		"ftp://u%40x:p@%68.example:21/%C": "",
		"ftp://u%40x:p@%68.example:21/a":  "ftp://u%40x:p@h.example:21/a",
		"http://a~b.example/%7E":          "http://a~b.example/%7E",
		"http://a~%62.example/":           "http://a~b.example/",
		"x://%61b/c":                      "x://ab/c",
		"http://[::1]/%41":                "http://[::1]/%41",
		"file:///%41":                     "file:///%41",
		"mailto:a%40b":                    "mailto:a%40b",
	} {
		for _, p := range []*Parser{RFC1738, Current} {
			u, err := p.Parse(text)
			if err != nil {
				if want != "" && p == Current {
					t.Errorf("%s: %v", text, err)
				}
				continue
			}
			got := u.ASCII()
			if got.Text() != want || !Equal(got, u) || got.ASCII() != got {
				t.Errorf("the ASCII form of %s is %s, want %s", text, got.Text(), want)
			}
			std, err := url.Parse(got.Text())
			if err != nil {
				t.Errorf("net/url, %s: %v", got.Text(), err)
				continue
			}
			later, _ := u.readLater()
			if host := strings.ReplaceAll(later.ASCIIHost(), "%7E", "~"); strings.TrimSuffix(std.Host, ":"+std.Port()) != host {
				t.Errorf("%s has the host %s in net/url, want %s", got.Text(), std.Host, host)
			}
		}
	}
}
