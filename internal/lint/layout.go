package lint

import (
	"path"
	"slices"
	"strings"
)

// maxEntries is the maximum number of entries that ls shows in the root: README.md and the folders
// have to be seen.
const maxEntries = 57

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

// families are the names of test files that many packages have. A name with one of them behind
// another name, as in data_peers_test.go, belongs to the family, too.
var families = []string{
	"bench", "capture", "conformance", "crash", "docs", "example", "export", "fake", "fuzz", "hostile", "internal", "main", "norace", "oracle", "peers",
	"race", "script", "transcript",
}

// checkTestNames requires that x_test.go stands beside x.go, or has the name of its package or of a
// family. A folder with only tests has the names of what it tests.
func checkTestNames(t *Tree, report report) {
	for _, p := range t.Packages {
		sources := map[string]bool{path.Base(p.Dir): true}
		for _, f := range p.Files {
			if !f.Test {
				sources[subject(f.Path)] = true
			}
		}
		if len(sources) == 1 {
			continue
		}
		for _, f := range p.Files {
			if !f.Test {
				continue
			}
			name := subject(strings.TrimSuffix(f.Path, "_test.go") + ".go")
			words := strings.Split(name, "_")
			isFamily := slices.Contains(families, words[0]) || slices.Contains(families, words[len(words)-1])
			if !isFamily && !sources[name] {
				report(f.Path, 0, "there is no %s.go, and it is none of the families that CONTRIBUTING lists", name)
			}
		}
	}
}

// subject returns the name of a file without its extension and the system that it is for.
func subject(name string) string {
	name = strings.TrimSuffix(path.Base(name), ".go")
	for {
		i := strings.LastIndexByte(name, '_')
		if i < 0 || !slices.Contains(systems, name[i+1:]) {
			return name
		}
		name = name[:i]
	}
}

var systems = []string{"amd64", "darwin", "linux", "other", "unix", "windows"}

// The maximum size of the command line, without tests. A verb is flags, one call, and what it
// prints: what a gateway or a checker could use, too, has a package of its own.
const (
	maxCommandLines = 6200 // 150 for each verb since decision 0168: serve, open, handler, check, report, runs, watch, worker
	maxCommandFiles = 48
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
