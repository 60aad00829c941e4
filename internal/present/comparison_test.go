package present_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"locator"
	"locator/explain"
	"locator/internal/present"
	"locator/internal/readers"
	"locator/policy"
	"locator/scheme/all"
)

// explained returns what explain says about a text.
func explained(p *locator.Parser, text string) explain.Explanation {
	e := explain.Explainer{Parser: p, Registry: all.Registry(), Policy: policy.New(policy.Options{})}
	return e.Explain(text)
}

// compareOutput returns the output of explain --compare for a text, as JSON and as text.
func compareOutput(text string, passwords bool) string {
	x := explained(locator.Current, text)
	list, o := readers.Compare(&x, passwords), present.Options{Passwords: passwords}
	return string(present.AppendComparison(nil, &x, list, o, true)) + "\n" + string(present.AppendComparison(nil, &x, list, o, false))
}

// The finding of a comparison is documented in the table of hazards, with its example.
func TestCompareFindingIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/internals/hazards.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, ok := strings.Cut(string(page), "\n## readers-differ\n")
	if !ok {
		t.Fatal("docs/internals/hazards.md has no readers-differ")
	}
	row, _, _ = strings.Cut(row, "\n## ")
	text := strings.TrimSpace(row[strings.LastIndexByte(strings.TrimRight(row, "\n"), '\n'):])
	x := explained(locator.Current, text)
	before := len(x.Findings)
	readers.Compare(&x, false)
	if len(x.Findings) == before {
		t.Fatalf("readers see %s alike", text)
	}
	for _, f := range x.Findings[before:] {
		if f.Code != "readers-differ" || !strings.Contains(row, f.Severity.String()+", section "+f.Section) {
			t.Errorf("%s has the finding %v, which the table has otherwise", text, f)
		}
	}
}

// Every line of the table begins with the name of the parser, and the columns are aligned.
func TestCompareTable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "x", "x:", "http://h:80/?#", "ftp://u:p@h/a", "http://" + strings.Repeat("é", 50) + "/", "//h"} {
		out := compareOutput(text, true)
		_, table, ok := strings.Cut(out, "\nreaders\n")
		if !ok {
			t.Fatalf("%q: there is no table:\n%s", text, out)
		}
		lines := strings.Split(table, "\n")
		if strings.HasPrefix(lines[0], "  RFC 1738") { // every parser rejects it
			lines = append([]string{""}, lines...)
		}
		at := strings.Index(lines[0], "path")
		for i, name := range []string{"RFC 1738", "current", "net/url", "WHATWG"} {
			line := lines[i+1]
			if !strings.HasPrefix(line, fmt.Sprintf("  %-8s  ", name)) {
				t.Errorf("%q: line %d is %q", text, i+1, line)
			}
			if !strings.HasPrefix(line[12:], "rejects it") && (at < 0 || len(line) < at || line[at-1] != ' ' || line[at] == ' ') {
				t.Errorf("%q: no path stands below the word:\n%s", text, table)
			}
		}
	}
}
