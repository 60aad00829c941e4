package main

import (
	"strings"
	"testing"

	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// A verb that waits for its input on a terminal says so, before it connects to anything.
//
// Covers: A15
func TestTypedInput(t *testing.T) {
	t.Parallel()
	s, err := httptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	const end = "end with Ctrl-D\r\n"
	for name, tt := range map[string]struct {
		answer string
		args   []string
		shows  string
	}{
		"get":   {s.URL("text.txt").Text() + "\n\x04", []string{"get"}, "reading URLs, one per line, from the terminal; "},
		"parse": {"http://h/\n\x04", []string{"parse"}, "reading URLs, one per line, from the terminal; "},
		"put":   {"some text\n\x04", []string{"put", s.URL("new").Text()}, "reading the data to send from the terminal; "},
	} {
		t.Run(name, func(t *testing.T) {
			shown, status := atTerminal(t, [][2]string{{end, tt.answer}}, func(string) bool { return false }, tt.args...)
			if status != 0 || !strings.HasPrefix(shown, "locator: "+tt.shows) {
				t.Errorf("status %d, %q", status, shown)
			}
		})
	}
	if shown, _ := atTerminal(t, nil, nil, "put", "--dry-run", s.URL("new").Text()); strings.Contains(shown, "terminal") {
		t.Errorf("a dry run waits for nothing: %q", shown)
	}
}
