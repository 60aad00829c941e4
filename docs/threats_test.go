package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThreats checks that each row in the tables of internals/threat-model.md and internals/old-servers.md has a test, and that the test is
// in the package that the table names.
func TestThreats(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"internals/threat-model.md": 100, "internals/old-servers.md": 40} {
		if n := rows(t, name); n < least {
			t.Errorf("%s: found only %d rows", name, n)
		}
	}
}

// rows checks the tests of a page, and returns the number of rows.
func rows(t *testing.T, file string) int {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := regexp.MustCompile("((?:`(?:Test|Fuzz)\\w+`(?:, )?)+) \\(([\\w/]+)\\)")
	name := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	sources := make(map[string]string) // test code by package
	n, table := 0, false
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		switch {
		case len(cells) < 3:
			table = false
			continue
		case strings.TrimSpace(cells[len(cells)-2]) == "test":
			table = true
			continue
		case !table || strings.HasPrefix(cells[1], "---"):
			continue
		}
		n++
		cell := cells[len(cells)-2]
		found := 0
		for _, m := range tests.FindAllStringSubmatch(cell, -1) {
			folder := m[2]
			if folder == "locator" {
				folder = "."
			}
			if _, read := sources[folder]; !read {
				sources[folder] = testCode(t, folder)
			}
			for _, x := range name.FindAllStringSubmatch(m[1], -1) {
				found++
				if !strings.Contains(sources[folder], "\nfunc "+x[1]+"(") {
					t.Errorf("%s: there is no %s in %s, for%s", file, x[1], m[2], cells[1])
				}
			}
		}
		if found == 0 || found != len(name.FindAllString(cell, -1)) {
			t.Errorf("%s: %d tests with their package for%s", file, found, cells[1])
		}
	}
	return n
}

// testCode returns the code of the tests in a folder of the module.
func testCode(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Errorf("no tests in %s, %v", folder, err)
	}
	var code strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	return code.String()
}
