package lint

import (
	"go/ast"
)

// checkInit forbids init functions, and imports for their side effects, except of embed or in a
// test.
func checkInit(t *Tree, report report) {
	t.each(everywhere, func(_ *Package, f *GoFile) {
		for _, decl := range f.AST.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
				report(f.Path, t.line(d.Pos()), "func init: let the caller call it")
			}
		}
		for _, s := range f.AST.Imports {
			if s.Name != nil && s.Name.Name == "_" && importPath(s) != "embed" {
				report(f.Path, t.line(s.Pos()), "imports %s for its side effect", importPath(s))
			}
		}
	})
}

// checkContextFirst requires that a context is the first parameter. Only the parameter of a test
// may precede it.
func checkContextFirst(t *Tree, report report) {
	for _, p := range t.Packages {
		for _, f := range p.Files {
			names := importNames(f.AST)
			ast.Inspect(f.AST, func(n ast.Node) bool {
				fn, ok := n.(*ast.FuncType)
				if !ok {
					return true
				}
				for i, field := range fn.Params.List {
					if from, name := qualified(names, field.Type); from != "context" || name != "Context" {
						continue
					}
					if i == 0 || i == 1 && isTesting(names, fn.Params.List[0].Type) {
						continue
					}
					report(f.Path, t.line(field.Pos()), "a context is the first parameter")
				}
				return true
			})
		}
	}
}

func isTesting(names map[string]string, e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	from, _ := qualified(names, e)
	return from == "testing"
}
