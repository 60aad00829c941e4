package lint

import (
	"path"
	"strings"
)

// checkModules keeps the tools of developers out of the modules that others import or build. A
// module with a tool directive is for tools alone, and no other go.mod or go.sum names the module
// of such a tool.
func checkModules(t *Tree, report report) {
	tools := make(map[string]string) // the path of a tool, and the go.mod with its directive
	for _, f := range t.Files {
		if path.Base(f.Path) != "go.mod" || inTestdata(f.Path) {
			continue
		}
		for number, line := range directives(f.Text) {
			if line[0] != "tool" || len(line) < 2 {
				continue
			}
			tools[line[1]] = f.Path
			if t.pkg(path.Dir(f.Path)) != nil {
				report(f.Path, number, "the module has packages and the tool %s: move the tool to internal/tools/go.mod", line[1])
			}
		}
	}
	for _, f := range t.Files {
		base := path.Base(f.Path)
		if base != "go.mod" && base != "go.sum" || inTestdata(f.Path) {
			continue
		}
		for number, line := range directives(f.Text) {
			name := line[0] // of the module, in go.sum
			if base == "go.mod" && name == "require" && len(line) > 1 {
				name = line[1]
			}
			for tool, home := range tools {
				if below(tool, name) && path.Dir(f.Path) != path.Dir(home) {
					report(f.Path, number, "names %s, which only the tools of %s need: run go mod tidy", name, home)
				}
			}
		}
	}
}

// directives returns the fields of each line of a go.mod or go.sum file, by its number. A line in a
// block gets the word of the block in front.
func directives(text string) map[int][]string {
	all := make(map[int][]string)
	block, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case fields[0] == ")":
			block = ""
		case block != "":
			all[number] = append([]string{block}, fields...)
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
		default:
			all[number] = fields
		}
	}
	return all
}
