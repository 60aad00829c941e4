package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNames checks that the files, folders and identifiers that the pages for engineers name in
// code font exist.
func TestNames(t *testing.T) {
	t.Parallel()
	var files []string
	words := make(map[string]bool)
	word := regexp.MustCompile(`[\pL_][\pL\d_]*`)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		files = append(files, "/"+filepath.ToSlash(name))
		if filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, w := range word.FindAllString(string(text), -1) {
			words[w] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool {
		for _, f := range files {
			if strings.HasSuffix(f, "/"+name) {
				return true
			}
		}
		return false
	}
	code := regexp.MustCompile("`([^`\n]+)`")
	path := regexp.MustCompile(`^[\w./-]+(\.go|\.txtar|\.md|\.sh|/)$`)
	identifier := regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Z]\w*|\.[a-z]\w*)*$`)
	found := 0
	for _, page := range []string{"internals/architecture.md", "internals/add-a-scheme.md", "internals/threat-model.md", "../CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(prose(string(text)), -1) {
			name := m[1]
			switch {
			case strings.Contains(name, "NAME") || strings.Contains(name, "VERB") || strings.Contains(name, "SERVER"):
			case path.MatchString(name):
				found++
				if !exists(strings.TrimPrefix(strings.TrimSuffix(name, "/"), "./")) {
					t.Errorf("%s: there is no %s", page, name)
				}
			case identifier.MatchString(name):
				found++
				if last := name[strings.LastIndexByte(name, '.')+1:]; !words[last] && !exists(name) {
					t.Errorf("%s: there is no %s", page, name)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d names", found)
	}
}
