package tree

import (
	"testing"

	"locator"
	"locator/client"
	"locator/scheme/all"
)

// TestPattern finds the patterns in texts. An escaped character stands for itself, and what would
// not be a URL is not a pattern.
//
// Covers: A6
func TestPattern(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for text, want := range map[string]string{
		"ftp://h/*.txt": "ftp://h/ *.txt", "<URL:ftp://u@h:21/a/b?>": "ftp://u@h:21/a/ b?", "ftp://h/a%2Ab*": `ftp://h/ a\*b*`, "ftp://h/%5Bx%5D[0-9]": `ftp://h/ \[x\][0-9]`,
		"ftps://h/%C3%A9*": "ftps://h/ \u00e9*", "file:///tmp/*": "file:///tmp/ *", "ftp://h/x%5C*": `ftp://h/ x\\*`, "ftp://h/%7Ba,b%7D*": `ftp://h/ \{a,b\}*`,
		"ftp://h/a*/b": "", "ftp://h/*/": "", "ftp://h/a": "", "ftp://h/%2A": "", "ftp://h/*;type=a": "", "ftp://h/*#x": "", "ftp://h/[": "", "ftp://h/[^a]": "",
		"ftp://h/%zz*": "", "ftp://h/ *": "", "ftp://*": "", "ftp:*": "", "*": "", "http://h/*": "", "http://h/a?b": "", "gopher://h/1/*": "", "mailto:*@h": "", "x://h/*": "",
	} {
		p, ok := ParsePattern(c, text, locator.Current.Parse)
		got := ""
		if ok {
			got = p.dir.Text() + " " + p.pattern
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// FuzzPattern checks that the pattern of a text without escapes is its last segment.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"ftp://h/*", "ftp://h/a?[b]%2A", "file:///%", "<URL:ftp://h/[*]>", "ftp://h/%5B%4*"} {
		f.Add(s)
	}
	c := client.New(client.Options{Registry: all.Registry()})
	f.Cleanup(func() { c.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := ParsePattern(c, text, locator.Current.Parse)
		if ok && (p.pattern == "" || p.name == "" || p.dir.IsZero()) {
			t.Errorf("%q gives the pattern %q for %q in %q", text, p.pattern, p.name, p.dir)
		}
	})
}
