package find

import (
	"math/rand/v2"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
)

// checkWrap checks that a wrapped URL is found again and that no line ends in a hyphen.
func checkWrap(t *testing.T, u locator.URL, width int) {
	t.Helper()
	text := Wrap(u, width)
	var found []Find
	f := Finder{MaxWrapper: len(text) + 1}
	for u := range f.All("see\n" + text + ".") {
		found = append(found, u)
	}
	if len(found) != 1 || found[0].Text() != u.Text() || found[0].Form != Wrapped || found[0].Alternatives != nil || int(found[0].Length) != len(text) {
		t.Fatalf("%q in lines of %d is %q, which is found as %+v", u.Text(), width, text, found)
	}
	if strings.Contains(text, "-\n") {
		t.Fatalf("%q has a hyphen at the end of a line", text)
	}
}

// Covers: F6
func TestWrap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, scheme := range bnf.Schemes() {
		for range 100 {
			s := bnf.RFC1738().Generate(bnf.RuleOf(scheme), r, 1+r.IntN(60))
			for _, text := range []string{s, s + "#a-b"} {
				if u, err := locator.Current.Parse(text); err == nil {
					for width := range 90 {
						checkWrap(t, u, width)
					}
				}
			}
		}
	}
	for _, text := range []string{"http://h/é-ü", "http://h/----------", "x:-", "A:", "http://h/a\u00ADb"} {
		for width := range 30 {
			checkWrap(t, locator.Current.MustParse(text), width)
		}
	}
}

// Lines are as long as the width allows.
func TestWrapWidth(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("http://h/" + strings.Repeat("a", 200))
	for width := 5; width < 100; width++ {
		lines := strings.Split(Wrap(u, width), "\n")
		for _, line := range lines[:len(lines)-1] {
			if len(line) != width && len(line) != width-1 {
				t.Fatalf("width %d: a line has %d characters", width, len(line))
			}
		}
	}
}
