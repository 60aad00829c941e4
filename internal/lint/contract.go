package lint

import "go/ast"

// maxContract is the maximum number of exported names of package scheme: types, functions,
// constants and variables, without methods and fields.
const maxContract = 130

func checkContractSize(t *Tree, report report) {
	const dir = "scheme"
	names := 0
	count := func(id *ast.Ident) {
		if id.IsExported() {
			names++
		}
	}
	t.each(func(d string) bool { return d == dir }, func(_ *Package, f *GoFile) {
		if f.Test {
			return
		}
		for _, d := range f.AST.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					count(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						count(s.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							count(id)
						}
					}
				}
			}
		}
	})
	if names > maxContract {
		report(dir, 0, "%d exported names, at most %d: what knows nothing of Env has a package of its own", names, maxContract)
	}
}
