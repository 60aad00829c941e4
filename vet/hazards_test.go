package vet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"locator"
)

// The page that explains the hazards has those of the table, in the same order, and its example of
// each has that hazard alone.
//
// Covers: P1, P2, P3
func TestHazardsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/internals/hazards.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(page), "\n## ")[1:]
	if len(sections) != len(hazards()) {
		t.Fatalf("the page explains %d hazards, the table has %d", len(sections), len(hazards()))
	}
	for i, h := range hazards() {
		begin := fmt.Sprintf("%s\n\n%s, section %s. ", h.code, h.severity, h.section)
		_, example, ok := strings.Cut(sections[i], "\n\n    ")
		if !ok || !strings.HasPrefix(sections[i], begin) {
			t.Errorf("section %d of the page does not begin with %q, or has no example", i, begin)
			continue
		}
		if h.find == nil {
			continue // the tests of "explain --compare" cover it
		}
		example = strings.TrimSpace(example)
		u, err := locator.Current.Parse(example)
		if h.code == "later-syntax" { // Current refuses it
			u, err = locator.RFC1738.Parse(example)
		}
		if err != nil {
			t.Errorf("%s: %v", h.code, err)
			continue
		}
		if got := codes(u); got != h.code {
			t.Errorf("the example of %s has the hazards %q", h.code, got)
		}
	}
}
