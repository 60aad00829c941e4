package lint

import "strings"

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
