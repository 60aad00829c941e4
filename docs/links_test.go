package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinks checks that every relative link of every Markdown page of the module leads to a file,
// and to a heading of it where the link names one.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := make(map[string]string)
	conflict := regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) `)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(name)
		if conflict.Match(text) {
			t.Errorf("%s: a conflict of a merge is not resolved", name)
		}
		pages[name] = prose(string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	links := 0
	for name, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, heading, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			} else if heading != "" && !anchors(pages[target])[heading] {
				t.Errorf("%s: the link %s names a heading that does not exist", name, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("found only %d relative links", links)
	}
}

// prose returns a page without its blocks of code.
func prose(page string) string {
	var b strings.Builder
	for i, part := range strings.Split(page, "```") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// anchors returns the anchors that a Markdown viewer makes from the headings of a page.
func anchors(page string) map[string]bool {
	all := make(map[string]bool)
	drop := regexp.MustCompile("[^a-z0-9 _-]")
	for line := range strings.Lines(page) {
		title := strings.TrimLeft(line, "#")
		if len(title) == len(line) || !strings.HasPrefix(title, " ") {
			continue
		}
		title = drop.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		all[strings.ReplaceAll(title, " ", "-")] = true
	}
	return all
}

// TestDecisionsAreListed checks that the page of decisions lists all of them.
func TestDecisionsAreListed(t *testing.T) {
	t.Parallel()
	const folder = "internals/decisions/"
	index, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(folder + "0*.md")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d decisions, %v", len(files), err)
	}
	for _, f := range files {
		if !strings.Contains(string(index), "("+filepath.Base(f)+")") {
			t.Errorf("%sREADME.md does not list %s", folder, filepath.Base(f))
		}
	}
}
