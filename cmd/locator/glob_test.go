package main

import (
	"testing"

	"locator/client"
	"locator/scheme/all"
)

// TestGlob finds the patterns in texts. An escaped character stands for itself, and what would be no URL is no pattern.
//
// Covers: A6
func TestGlob(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	for text, want := range map[string]string{
		"ftp://h/*.txt": "ftp://h/ *.txt", "<URL:ftp://u@h:21/a/b?>": "ftp://u@h:21/a/ b?", "ftp://h/a%2Ab*": `ftp://h/ a\*b*`, "ftp://h/%5Bx%5D[0-9]": `ftp://h/ \[x\][0-9]`,
		"ftps://h/%C3%A9*": "ftps://h/ \u00e9*", "file:///tmp/*": "file:///tmp/ *", "ftp://h/x%5C*": `ftp://h/ x\\*`, "ftp://h/%7Ba,b%7D*": `ftp://h/ \{a,b\}*`,
		"ftp://h/a*/b": "", "ftp://h/*/": "", "ftp://h/a": "", "ftp://h/%2A": "", "ftp://h/*;type=a": "", "ftp://h/*#x": "", "ftp://h/[": "", "ftp://h/[^a]": "",
		"ftp://h/%zz*": "", "ftp://h/ *": "", "ftp://*": "", "ftp:*": "", "*": "", "http://h/*": "", "http://h/a?b": "", "gopher://h/1/*": "", "mailto:*@h": "", "x://h/*": "",
	} {
		g, ok := (&app{}).glob(c, text)
		got := ""
		if ok {
			got = g.dir.Text() + " " + g.pattern
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// FuzzGlob checks that the pattern of a text without escapes is its last segment.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"ftp://h/*", "ftp://h/a?[b]%2A", "file:///%", "<URL:ftp://h/[*]>", "ftp://h/%5B%4*"} {
		f.Add(s)
	}
	c := client.New(client.Options{Registry: all.Registry()})
	f.Cleanup(func() { c.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		g, ok := (&app{}).glob(c, text)
		if ok && (g.pattern == "" || g.name == "" || g.dir.IsZero()) {
			t.Errorf("%q gives the pattern %q for %q in %q", text, g.pattern, g.name, g.dir)
		}
	})
}
