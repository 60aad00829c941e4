package ftp

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"locator/internal/mediatype"
)

// TestSuffixesAreDocumented compares the list of suffixes in docs/cli.md with the table.
//
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
	var got, want []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(listed, -1) {
		got = append(got, m[1])
	}
	for _, suffix := range mediatype.LineSuffixes() {
		if guessType("x."+suffix) != ascii {
			t.Errorf("%s is not TYPE A", suffix)
		}
		want = append(want, suffix)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("docs/cli.md has %q, the table %q", got, want)
	}
}
