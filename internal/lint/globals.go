package lint

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
)

// checkGlobals allows a package-level variable only for a table, an error or a compiled expression
// that nothing modifies afterwards: no assignment, no address taken, no method with a pointer
// receiver. It forbids types that are only useful when modified, such as a lock or an atomic. A
// test that replaces such a variable makes it mutable too.
//
// It type-checks each package without its imports, which is enough to distinguish a variable from a
// local one of the same name.
func checkGlobals(t *Tree, report report) {
	for _, p := range t.Packages {
		byName := make(map[string][]*GoFile) // package x and package x_test
		for _, f := range p.Files {
			byName[f.AST.Name.Name] = append(byName[f.AST.Name.Name], f)
		}
		for _, files := range byName {
			newGlobals(t, p.Dir, files).check(report)
		}
	}
}

type globals struct {
	tree  *Tree
	files []*GoFile
	info  *types.Info
	vars  map[types.Object]bool // variables of non-test files
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not loaded") }

func newGlobals(t *Tree, dir string, files []*GoFile) *globals {
	g := &globals{tree: t, files: files, vars: make(map[types.Object]bool), info: &types.Info{
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}}
	var asts []*ast.File
	for _, f := range files {
		asts = append(asts, f.AST)
	}
	config := types.Config{Importer: noImports{}, Error: func(error) {}, DisableUnusedImportCheck: true}
	_, _ = config.Check(dir, t.fset, asts, g.info) // errors are expected, since nothing is imported
	for _, f := range files {
		if f.Test {
			continue
		}
		for _, decl := range f.AST.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if o := g.info.Defs[name]; o != nil {
						g.vars[o] = true
					}
				}
			}
		}
	}
	return g
}

func (g *globals) check(report report) {
	for _, f := range g.files {
		names := importNames(f.AST)
		if !f.Test {
			g.checkTypes(f, names, report)
		}
		found := func(n ast.Node, name, what string) {
			report(f.Path, g.tree.line(n.Pos()), "%s %s, a package-level variable: keep state in a value", what, name)
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					if name := g.global(e); name != "" && n.Tok != token.DEFINE {
						found(n, name, "assigns to")
					}
				}
			case *ast.IncDecStmt:
				if name := g.global(n.X); name != "" {
					found(n, name, "assigns to")
				}
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if name := g.global(e); name != "" && n.Tok == token.ASSIGN {
						found(n, name, "assigns to")
					}
				}
			case *ast.UnaryExpr:
				if name := g.global(n.X); name != "" && n.Op == token.AND {
					found(n, name, "takes the address of")
				}
			case *ast.CallExpr:
				g.checkCall(n, found)
			}
			return true
		})
	}
}

// checkCall reports built-in functions that modify a variable, and methods with a pointer receiver.
func (g *globals) checkCall(call *ast.CallExpr, found func(ast.Node, string, string)) {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		if _, builtin := g.info.Uses[fn].(*types.Builtin); builtin && len(call.Args) > 0 {
			if name := g.global(call.Args[0]); name != "" && (fn.Name == "delete" || fn.Name == "clear" || fn.Name == "copy") {
				found(call, name, "writes to")
			}
		}
	case *ast.SelectorExpr:
		s := g.info.Selections[fn]
		name := g.global(fn.X)
		if s == nil || s.Kind() != types.MethodVal || name == "" {
			return
		}
		_, onPointer := s.Recv().Underlying().(*types.Pointer)
		method, ok := s.Obj().Type().(*types.Signature)
		if ok && !onPointer && method.Recv() != nil {
			if _, ok := method.Recv().Type().(*types.Pointer); ok {
				found(call, name, "takes the address of")
			}
		}
	}
}

// global returns the package-level variable that an expression is, or is a part of: x, x[i], x.f,
// *x, or pkg.X of the module.
func (g *globals) global(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			if g.vars[g.info.Uses[x]] {
				return x.Name
			}
			return ""
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if p, ok := g.info.Uses[id].(*types.PkgName); ok {
					if _, own := moduleDir(p.Imported().Path()); own {
						return id.Name + "." + x.Sel.Name
					}
					return ""
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// stateful has the types that are only useful as state.
var stateful = map[string][]string{
	"sync":        {"Mutex", "RWMutex", "Once", "Map", "Pool", "WaitGroup", "Cond"},
	"sync/atomic": {"*"},
}

func (g *globals) checkTypes(f *GoFile, names map[string]string, report report) {
	for _, decl := range f.AST.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			for _, e := range append([]ast.Expr{spec.Type}, spec.Values...) {
				if u, ok := e.(*ast.UnaryExpr); ok {
					e = u.X
				}
				if l, ok := e.(*ast.CompositeLit); ok {
					e = l.Type
				}
				if s, ok := e.(*ast.StarExpr); ok {
					e = s.X
				}
				if i, ok := e.(*ast.IndexExpr); ok { // atomic.Pointer[T]
					e = i.X
				}
				if from, name := qualified(names, e); matches(stateful[from], name) {
					report(f.Path, g.tree.line(spec.Pos()), "%s is a %s.%s, which can only be state: keep it in a value", spec.Names[0].Name, from, name)
				}
			}
		}
	}
}
