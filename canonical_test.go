package locator

import (
	"net/url"
	"slices"
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

// Covers: S19
func TestJoinPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base     string
		segments []string
		want     string // "" for an error
	}{
		{"ftp://u@h/a;type=a", []string{"b"}, "ftp://u@h/a/b"},
		{"ftps://h", []string{"b", ""}, "ftps://h/b/"},
		{"http://h/a/?x#y", []string{"b/c"}, "http://h/a/b%2Fc"},
		{"http://h/a/", []string{"../c", "%2e%2e", "..."}, "http://h/a/..%2Fc/%252e%252e/..."},
		{"http://h/pub/", []string{"..", "etc"}, ""},
		{"ftp://h/pub/", []string{"a", ".."}, ""},
		{"file:///pub/", []string{"."}, ""},
		{"https://[::1]", []string{"b"}, "https://[::1]/b"},
		{"file:///a", []string{"b"}, "file:///a/b"},
		{"gopher://h/1a", []string{"b"}, ""},
		{"nfs://h/a/", []string{"b"}, ""},
		{"mailto:a@b", []string{"c"}, ""},
		{"gopher://h/1a", nil, "gopher://h/1a"},
	} {
		base, err := Current.Parse(c.base)
		if err != nil {
			t.Fatal(err)
		}
		got, err := base.JoinPath(c.segments...)
		if got.Text() != c.want || (err == nil) != (c.want != "") {
			t.Errorf("JoinPath(%q) of %s is %q, %v, want %q", c.segments, c.base, got.Text(), err, c.want)
		}
		if segments, ok := base.Segments(); ok != base.Hierarchical() {
			t.Errorf("Segments of %s: %q, %v", c.base, segments, ok)
		}
		if segments, _ := got.Segments(); err == nil && base.Hierarchical() && !slices.Equal(segments[max(0, len(segments)-len(c.segments)):], c.segments) {
			t.Errorf("Segments of %s are %q, and do not end in %q", got.Text(), segments, c.segments)
		}
		if _, ok := err.(*SyntaxError); err != nil && !ok {
			t.Errorf("%q below %s: %v", c.segments, c.base, err)
		}
	}
}
