package gopher

import (
	"testing"

	"locator/scheme"
)

// TestSelectorOctets checks that every byte of a selector is kept in the URL of the entry and sent
// by Access.
//
// Covers: S9, S17, A7
func TestSelectorOctets(t *testing.T) {
	t.Parallel()
	var selector []byte
	for c := 1; c < 256; c++ {
		if c != '\t' && c != '\n' && c != '\r' {
			selector = append(selector, byte(c))
		}
	}
	r := reader{here: server{host: "h", port: 70}}
	e := r.entry(parseItem("9x\t" + string(selector) + "\th\t70"))
	s := say("x")
	if _, err := s.access(t, scheme.Request{URL: e.URL}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.requests()[0], string(selector)+"\r\n"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}
