package gopher

import (
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/gopher/gophertest"
	tree "locator/schemetest/peer"
)

// TestFaults sends good replies with faults. The result is the same or an error.
//
// Covers: A7, P6
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, m := range gophertest.AllBehaviors() {
		w := start(t, gophertest.Behave(m))
		type want struct{ text, menu string }
		var good want
		var err error
		if good.text, _, err = w.read(t, w.URL("text.txt")); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if good.menu, _, err = w.read(t, w.URL("etc", "")); err != nil || !strings.HasPrefix(good.menu, "object|motd|") {
			t.Fatalf("%s: %q, %v", m, good.menu, err)
		}
		for fault, codes := range map[tree.Fault][2]scheme.Code{
			gophertest.StayOpen:    {scheme.CodeOK, scheme.CodeOK},
			gophertest.SplitHeader: {scheme.CodeOK, scheme.CodeOK},
			gophertest.NoMark:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.LFOnly:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.CROnly:      {scheme.CodeOK, scheme.CodeOK},
			gophertest.Silent:      {scheme.CodeOK, scheme.CodeProtocol}, // an empty text is a text
		} {
			if fault == gophertest.StayOpen && !strings.Contains("strict, plain, UMN gopherd 2.3.0, UMN gopherd 3.0.5", m.String()) {
				continue // without an end mark or a length the end cannot be recognized
			}
			w.Misbehave(fault)
			text, _, err := w.read(t, w.URL("text.txt"))
			same := good.text
			if fault == gophertest.Silent {
				same = ""
			}
			if fault == gophertest.CROnly {
				text = strings.TrimSuffix(text, ".\r") // an end mark is a line, and a text without LF has one line only
			}
			if linesOf(text) != linesOf(same) || client.CodeOf(err) != codes[0] {
				t.Errorf("%s, %s: %q, %v; want %q, %v", m, fault, text, err, same, codes[0])
			}
			menu, _, err := w.read(t, w.URL("etc", ""))
			if client.CodeOf(err) != codes[1] || err == nil && menu != good.menu {
				t.Errorf("%s, %s: menu: %q, %v; want %q, %v", m, fault, menu, err, good.menu, codes[1])
			}
		}
	}
}

// linesOf returns a text with LF as line end.
func linesOf(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}
