package mediatype

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Covers: A3
func TestSuffixesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "TYPE A for ")
	listed, _, end := strings.Cut(rest, "; TYPE I for all else")
	if !found || !end {
		t.Fatal("docs/cli.md does not list the suffixes")
	}
	var got []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(listed, -1) {
		got = append(got, m[1])
	}
	if want := slices.Sorted(maps.Keys(lines)); !slices.Equal(got, want) {
		t.Errorf("docs/cli.md has %q, the table %q", got, want)
	}
}
