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
func TestByName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want    string
		lines, active bool
	}{
		{"a.txt", "text/plain", true, false},
		{"/dir/A.TXT", "text/plain", true, false},
		{"page.Html", "text/html", true, true},
		{"x.tar.gz", "application/gzip", false, false},
		{"x.txt.gif", "image/gif", false, false},
		{"mail.eml", "message/rfc822", true, false},
		{"x.json", "application/json", false, false},
		{"setup.ini", "text/plain", false, false}, // programs may depend on its line ends
		{"disk.iso", "application/x-iso9660-image", false, false},
		{"doc.xml", "application/xml", true, true},
		{".txt", "text/plain", true, false},
		{"dir.txt/file", "", false, false},
		{"README", "", false, false},
		{"no.suchsuffix", "", false, false},
		{"", "", false, false},
		{".", "", false, false},
		{"a." + strings.Repeat("t", 1000), "", false, false},
	} {
		if got, lines, active := ByName(tt.name), Lines(tt.name), Active(tt.name); got != tt.want || lines != tt.lines || active != tt.active {
			t.Errorf("%.40q: %q, lines %v, active %v; want %q, %v, %v", tt.name, got, lines, active, tt.want, tt.lines, tt.active)
		}
	}
}

// A suffix is in one table only, and suffix can return it.
//
// Covers: A3
func TestTables(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]map[string]string{"lines": lines, "others": others} {
		for s, media := range table {
			if suffix("x."+s) != s || strings.Count(media, "/") != 1 || lines[s] != "" && others[s] != "" {
				t.Errorf("%s[%q] = %q", name, s, media)
			}
		}
	}
}

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
