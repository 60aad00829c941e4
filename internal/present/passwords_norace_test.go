//go:build !race

package present_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"locator"
)

// What is masked in the input appears nowhere, even if other parsers take it for a port, a path or
// a host.
//
// Covers: P3
func TestCompareShowsNoPassword(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	schemes := []string{"http://", "ftp://", "ftp:", "http:/", "http:\\\\", "x-new://", "telnet://", "HTTPS://", "file://", "ws://", "foo:a//"}
	pieces := []string{"/", "\\", "?", "#", "@", ":", "%", "%2F", "[", "]", " ", "\t", "é", "\xFF", "a", "1", ".", ";"}
	some := func(most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	masked := 0
	for range 4000 {
		// Two words of the password with anything between them, which parsers may split in any way.
		text := schemes[r.IntN(len(schemes))] + "u" + some(1) + ":Qq7" + some(3) + "zX9" + "@h" + some(4)
		x := explained(locator.Current, text)
		shown := x.Shown(false)
		for _, word := range []string{"qq7", "zx9"} {
			if strings.Contains(strings.ToLower(shown), word) {
				continue // not taken for a password
			}
			masked++
			if out := compareOutput(text, false); strings.Contains(strings.ToLower(out), word) {
				t.Fatalf("%q shows %s:\n%s", text, word, out)
			}
		}
	}
	if masked < 4000 {
		t.Errorf("only %d words were masked: that shows little", masked)
	}
}
