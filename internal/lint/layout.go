package lint

import (
	"path"
	"strings"
)

// maxEntries is the maximum number of entries that ls shows in the root: README.md and the folders have to
// be seen.
const maxEntries = 56

func checkRootEntries(t *Tree, report report) {
	entries := make(map[string]bool)
	for _, f := range t.Files {
		if name, _, _ := strings.Cut(f.Path, "/"); name[0] != '.' && name != "build" { // what make makes
			entries[name] = true
		}
	}
	if len(entries) > maxEntries {
		report(".", 0, "%d entries, at most %d: merge files by theme, or make a package", len(entries), maxEntries)
	}
}

// The maximum size of the command line, without tests. A verb is flags, one call, and what it prints: what a gateway or a checker could
// use, too, has a package of its own.
const (
	maxCommandLines = 5000
	maxCommandFiles = 45
)

func checkCommandSize(t *Tree, report report) {
	const dir = "cmd/locator"
	lines, files := 0, 0
	for _, f := range t.Files {
		if path.Dir(f.Path) == dir && path.Ext(f.Path) == ".go" && !strings.HasSuffix(f.Path, "_test.go") {
			files++
			lines += strings.Count(f.Text, "\n")
		}
	}
	if lines > maxCommandLines || files > maxCommandFiles {
		report(dir, 0, "%d lines in %d files, at most %d in %d: move what others could use into a package", lines, files, maxCommandLines, maxCommandFiles)
	}
}
