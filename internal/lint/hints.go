package lint

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// flagInText is a flag of the command line within a sentence. An option that is the whole text
// belongs to another program.
var flagInText = regexp.MustCompile(`\s[(]?--[a-z]|^--[a-z][a-z-]*\s`)

// checkFlagsInTexts forbids flags of the command line in texts of the library, whose callers have
// other settings.
func checkFlagsInTexts(t *Tree, report report) {
	library := func(dir string) bool {
		return !slices.ContainsFunc([]string{"cmd", "internal/settings", "internal/manual", "internal/lint"}, func(top string) bool { return below(dir, top) }) && !testCode(dir)
	}
	t.each(library, func(_ *Package, f *GoFile) {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && flagInText.MatchString(text) {
				report(f.Path, t.line(lit.Pos()), "names a flag: set scheme.Error.Hint, for which cmd/locator/hints.go has the words")
			}
			return true
		})
	})
}

// hintsFile has the words for the hints.
const hintsFile = "cmd/locator/hints.go"

// checkHints requires that the library uses each hint of internal/hint, and that the command line
// has words for it.
func checkHints(t *Tree, report report) {
	const dir = "internal/hint"
	declared, used, worded := map[string]*ast.Ident{}, map[string]bool{}, map[string]bool{}
	paths := map[string]string{}
	t.each(everywhere, func(p *Package, f *GoFile) {
		if p.Dir == dir {
			for name, at := range constants(f.AST) {
				declared[name], paths[name] = at, f.Path
			}
			return
		}
		names, uses := importNames(f.AST), used
		if below(f.Path, "cmd") {
			uses = map[string]bool{}
		}
		if f.Path == hintsFile {
			uses = worded
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if from, name := qualified(names, s); from == module+"/"+dir {
					uses[name] = true
				}
			}
			return true
		})
	})
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		line := t.line(declared[name].Pos())
		if !used[name] {
			report(paths[name], line, "no package of the library returns the hint %s: remove it", name)
		}
		if !worded[name] {
			report(paths[name], line, "%s has no words for the hint %s", hintsFile, name)
		}
	}
}

// constants returns the exported constants of a file.
func constants(f *ast.File) map[string]*ast.Ident {
	found := map[string]*ast.Ident{}
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		for _, spec := range d.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if name.IsExported() {
					found[name.Name] = name
				}
			}
		}
	}
	return found
}
