package find_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/find"
)

// TestHostileTexts runs texts for which a finder that reads on from each beginning, or over each
// blank line, needs seconds. The limit is a hundred times what they need.
func TestHostileTexts(t *testing.T) {
	// Covers: F5, T199
	const size = find.DefaultMaxWrapper - 1<<10
	for _, c := range []struct{ before, repeat, after string }{
		{"", "http://!", ""},
		{"", "mailto:!", ""},
		{"", "www.-/!", ""},
		{"", "www.a,www.b", ".1"},
		{"<URL:http://h/", "\n", ">"},
		{"<URL:http://h/", "\r", ">"},
		{"<URL:http://h/", "\n[Page 1]", ">"},
		{"<http://h/", "a\n", ">"},
		{"http://h/", "[a]", ""},
		{"http://h/", "_[[", ""},
		{"http://h", "{[", ""},
		{"http://h/", "{a}http://h/[", ""},
		{"http://[a", "[", ""},
		{"http://h/", "&&", ""},
		{"http://", "a&&", ""},
		{"http://h/", "a''", ""},
		{"http://h/", "#a", ""},
		{"http://h/#", "[a]#b", ""},
		{"", "http://h[a].", ""},
		{"", "http://h\u65e5", ""},
		{"http://", "a@", ""},
		{"http://", "a,", ""},
	} {
		text := c.before + strings.Repeat(c.repeat, size/len(c.repeat)) + c.after
		fastest := time.Hour // of three: other tests may delay one
		for range 3 {
			begin := time.Now()
			finder := find.Finder{Web: true}
			for range finder.All(text) {
			}
			if fastest = min(fastest, time.Since(begin)); fastest < time.Second {
				break
			}
		}
		if fastest > time.Second {
			t.Errorf("%q and %q repeated: %v for %d bytes", c.before, c.repeat, fastest, len(text))
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

// TestAllocations shows that a find in plain text takes no memory of its own.
func TestAllocations(t *testing.T) {
	// Covers: F5
	text := strings.Repeat("see http://h.example/a?b=c#d, <URL:ftp://h.example/x>, <http://h.example/> and mailto:a@h.example.\n", 250)
	var finder find.Finder
	finds := 0
	allocs := testing.AllocsPerRun(5, func() {
		finds = 0
		for range finder.All(text) {
			finds++
		}
	})
	if finds != 1000 || allocs > 5 {
		t.Errorf("%d finds, %v allocations", finds, allocs)
	}
}

// TestTooLong shows that the beginning of a form that is too long is found, and the URLs after it.
func TestTooLong(t *testing.T) {
	// Covers: F1, F5
	finder := find.Finder{MaxWrapper: 512}
	long := strings.Repeat("a", 600)
	for text, want := range map[string]string{
		"<URL:http://h/b " + long + "> http://h/c":   "http://h/b true, http://h/c false",
		"<URL:http://h/b\n" + long + " http://h/c":   "http://h/b true, http://h/c false",
		"<URL:x://h/b\n" + long + "> <URL:http://h>": "x://h/b true, http://h false",
		"http://h/" + long + " http://h/c":           "http://h/" + long[:503] + " true, http://h/c false",
	} {
		var got []string
		for u := range finder.All(text) {
			got = append(got, fmt.Sprint(u.URL, " ", u.TooLong))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%.30q...: got %.200q", text, got)
		}
	}
}
