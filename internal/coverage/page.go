package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// generate returns the page for the module in fsys.
func generate(fsys fs.FS) ([]byte, error) {
	sections, err := readRequirements(fsys)
	if err != nil {
		return nil, err
	}
	citations, err := readCitations(fsys)
	if err != nil {
		return nil, err
	}
	tests := make(map[string][]citation)
	for _, s := range sections {
		for _, r := range s.rows {
			tests[r.id] = nil
		}
	}
	for _, c := range citations {
		if _, ok := tests[c.id]; !ok {
			return nil, fmt.Errorf("%s: no page has a row %s", c.at, c.id)
		}
		tests[c.id] = append(tests[c.id], c)
	}
	total, shown := 0, 0
	for _, s := range sections {
		for _, r := range s.rows {
			switch found := len(tests[r.id]) > 0; {
			case s.page != requirementsFile && !found:
				return nil, fmt.Errorf("%s: no test cites %s", s.page, r.id)
			case s.page == requirementsFile && found:
				shown++
				fallthrough
			case s.page == requirementsFile:
				total++
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Tests by requirement\n\n")
	fmt.Fprintf(&b, "From the comments `// Covers: ...` of the tests. %s and %s have the full text. `-` means that no test covers the row yet.\n",
		requirementsFile, strings.Join(defencePages(), ", "))
	fmt.Fprintf(&b, "%d of %d requirements have at least one test.\n", shown, total)
	for _, s := range sections {
		if len(s.rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| ID | Clause or attack | Requirement | Tests |\n|---|---|---|---|\n", s.title)
		for _, r := range s.rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.id, short(r.clause), short(r.text), list(tests[r.id]))
		}
	}
	return b.Bytes(), nil
}

// list returns the tests sorted by package; "." is the root package.
func list(citations []citation) string {
	if len(citations) == 0 {
		return "-"
	}
	var packages []string
	byPackage := make(map[string][]string)
	for _, c := range citations {
		if _, ok := byPackage[c.pkg]; !ok {
			packages = append(packages, c.pkg)
		}
		if !slices.Contains(byPackage[c.pkg], c.test) {
			byPackage[c.pkg] = append(byPackage[c.pkg], c.test)
		}
	}
	for i, p := range packages {
		name := p
		if p == "." {
			name = "locator"
		}
		packages[i] = "`" + name + "`: " + strings.Join(byPackage[p], ", ")
	}
	return strings.Join(packages, "; ")
}
