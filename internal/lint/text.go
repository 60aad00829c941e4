package lint

import (
	"path"
	"strings"
)

// maxLines is the maximum number of lines of a file.
const maxLines = 600

func checkLength(t *Tree, report report) {
	for _, f := range t.Files {
		if inTestdata(f.Path) || path.Ext(f.Path) != ".go" && !strings.HasPrefix(f.Text, "#!") {
			continue
		}
		if n := strings.Count(f.Text, "\n"); n > maxLines {
			report(f.Path, 0, "%d lines, at most %d: split it by subject", n, maxLines)
		}
	}
}

// checkForeignPaths reports folders that exist only on a developer's machine. They are written in
// two parts, since the rule reads this file too.
func checkForeignPaths(t *Tree, report report) {
	paths := []string{"/work" + "/", "../" + "shared"}
	for _, f := range t.Files {
		if below(f.Path, "internal/lint/testdata") {
			continue
		}
		number := 0
		for line := range strings.Lines(f.Text) {
			number++
			for _, p := range paths {
				if strings.Contains(line, p) {
					report(f.Path, number, "names %s, which a clone does not have", p)
				}
			}
		}
	}
}

func checkScriptMode(t *Tree, report report) {
	for _, f := range t.Files {
		if strings.HasPrefix(f.Text, "#!") && !inTestdata(f.Path) && f.Mode&0o111 == 0 {
			report(f.Path, 0, "is a script without execute permission: chmod +x, git update-index --chmod=+x")
		}
	}
}
