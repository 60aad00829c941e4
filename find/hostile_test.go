package find_test

import (
	"strings"
	"testing"
	"time"

	"locator/find"
)

// TestHostileTexts runs texts for which a finder that reads on from each beginning, or over each blank line, needs seconds. The limit is
// a hundred times what they need.
func TestHostileTexts(t *testing.T) {
	// Covers: F5
	const size = find.DefaultMaxWrapper - 1<<10
	for _, c := range []struct{ before, repeat, after string }{
		{"", "http://!", ""},
		{"", "mailto:!", ""},
		{"", "www.-/!", ""},
		{"<URL:http://h/", "\n", ">"},
		{"<URL:http://h/", "\r", ">"},
		{"<URL:http://h/", "\n[Page 1]", ">"},
		{"<http://h/", "a\n", ">"},
	} {
		text := c.before + strings.Repeat(c.repeat, size/len(c.repeat)) + c.after
		begin := time.Now()
		finder := find.Finder{Web: true}
		for range finder.All(text) {
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%q and %q repeated: %v for %d bytes", c.before, c.repeat, took, len(text))
		}
	}
}

// TestLongURLs finds URLs with parts that are cut where the text that is read first ends.
func TestLongURLs(t *testing.T) {
	// Covers: F4
	finder := find.Finder{IRI: true}
	for n := 430; n < 520; n++ {
		a, b := strings.Repeat("a", n), strings.Repeat("b", 600)
		for _, want := range []string{
			"http://h.example/" + a + "%41%41" + b, "http://h.example/" + a + "\u20ac\u00e9" + b, "http://h.example/?" + a + "&amp;(x)" + b,
			"mailto:" + a[:400] + "@" + a[:n-400] + ".example?subject=" + b,
		} {
			var got []string
			for u := range finder.All("to " + want + " now") {
				got = append(got, u.URL)
			}
			if len(got) != 1 || got[0] != want {
				t.Errorf("%d: %.80q... is found as %.80q", n, want, got)
			}
		}
	}
}
