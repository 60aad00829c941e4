package lint

import (
	"go/ast"
	"go/build/constraint"
	"path"
	"regexp"
	"slices"
	"strings"
)

// allowedSkip is a function that may skip a test directly.
type allowedSkip struct{ file, function, why string }

// allowedSkips returns the whole list. An entry that is no longer needed is a finding.
func allowedSkips() []allowedSkip {
	return []allowedSkip{
		{"internal/peers/skip.go", "Skip", "the function that reports all skips"},
	}
}

// platformTags are the build tags that a test file may have: each names a platform, and ./test.sh
// vets for it.
var platformTags = []string{"linux", "darwin", "windows", "unix", "amd64", "arm64", "386", "arm", "mips", "mipsle", "cgo", "race"}

var scriptSkip = regexp.MustCompile(`^(\[[^\]]*\]\s*)*(skip|stop)\b`)

// checkSkips requires every skip to use internal/peers.Skip, and forbids tests behind other build
// tags.
func checkSkips(t *Tree, report report) {
	used := make(map[allowedSkip]bool)
	for _, p := range t.Packages {
		for _, f := range p.Files {
			checkTags(t, f, report)
			names := importNames(f.AST)
			if !slices.ContainsFunc(f.AST.Imports, func(s *ast.ImportSpec) bool { return importPath(s) == "testing" }) {
				continue
			}
			for _, decl := range f.AST.Decls {
				function := ""
				if d, ok := decl.(*ast.FuncDecl); ok {
					function = d.Name.Name
				}
				ast.Inspect(decl, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok || s.Sel.Name != "Skip" && s.Sel.Name != "Skipf" && s.Sel.Name != "SkipNow" {
						return true
					}
					if from, _ := qualified(names, s); from != "" { // a function of a package, peers.Skip first of all
						return true
					}
					for _, a := range allowedSkips() {
						if a.file == f.Path && a.function == function {
							used[a] = true
							return true
						}
					}
					report(f.Path, t.line(n.Pos()), "%s skips a test without a report: use internal/peers.Skip", s.Sel.Name)
					return true
				})
			}
		}
	}
	for _, a := range allowedSkips() {
		if !used[a] {
			report(a.file, 0, "%s no longer skips: remove it from the list in internal/lint/skips.go", a.function)
		}
	}
	for _, f := range t.Files {
		if path.Ext(f.Path) != ".txtar" || !strings.HasPrefix(f.Path, "cmd/") {
			continue
		}
		number := 0
		for line := range strings.Lines(f.Text) {
			number++
			if strings.HasPrefix(line, "-- ") {
				break
			}
			if scriptSkip.MatchString(line) {
				report(f.Path, number, "a script must not end early")
			}
		}
	}
}

// checkTags reports test files that are built only with a special tag.
func checkTags(t *Tree, f *GoFile, report report) {
	if !f.Test {
		return
	}
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) || c.Pos() > f.AST.Package {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				report(f.Path, t.line(c.Pos()), "%v", err)
				continue
			}
			expr.Eval(func(tag string) bool {
				if !slices.Contains(platformTags, tag) {
					report(f.Path, t.line(c.Pos()), "the build tag %s hides tests from go test ./...", tag)
				}
				return true
			})
		}
	}
}
