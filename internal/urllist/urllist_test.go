package urllist

import (
	"testing"
)

// A line of a list is a URL, with what people put around it.
func TestListed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", " \t ": "", "# x": "", "\t# x": "", "http://127.0.0.1:25/#x": "http://127.0.0.1:25/#x", " http://127.0.0.1:25/ ": "http://127.0.0.1:25/", "http://127.0.0.1:25/\ttitle": "http://127.0.0.1:25/",
		"http://127.0.0.1:25/ \t title\tx": "http://127.0.0.1:25/", "\ufeffhttp://127.0.0.1:25/": "http://127.0.0.1:25/", "\ufeff# x": "", "a b": "a b", "\thttp://127.0.0.1:25/": "http://127.0.0.1:25/",
	} {
		if got := listed(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
