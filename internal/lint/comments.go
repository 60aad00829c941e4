package lint

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

var rfcPattern = regexp.MustCompile(`\bRFCs?:? [0-9]`)

// checkPackageComment requires one package comment per package, in doc.go. A command may have it in
// the file of its main function, and a package of one file in that file.
func checkPackageComment(t *Tree, report report) {
	for _, p := range t.Packages {
		var docs []*GoFile
		name, count := "", 0
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			name = f.AST.Name.Name
			count++
			if f.AST.Doc != nil {
				docs = append(docs, f)
			}
		}
		if name == "" { // a folder with only tests
			continue
		}
		if len(docs) != 1 {
			report(p.Dir, 0, "has %d package comments, want one", len(docs))
			continue
		}
		doc := docs[0]
		line, text := t.line(doc.AST.Package), doc.AST.Doc.Text()
		if name != "main" && count > 1 && path.Base(doc.Path) != "doc.go" {
			report(doc.Path, line, "the package comment belongs in doc.go")
		}
		if name != "main" && !strings.HasPrefix(text, "Package "+name+" ") {
			report(doc.Path, line, "the package comment begins with %q", "Package "+name)
		}
		if (p.Dir == "." || schemeOf(p.Dir) != "" && p.Dir == "scheme/"+schemeOf(p.Dir)) && !rfcPattern.MatchString(text) {
			report(doc.Path, line, "the package comment lists the RFCs that the package implements")
		}
	}
}

// checkDocComments requires a doc comment for every exported identifier of packages that others may
// import.
func checkDocComments(t *Tree, report report) {
	choose := func(dir string) bool { return !slices.Contains(strings.Split(dir, "/"), "internal") }
	t.each(choose, func(_ *Package, f *GoFile) {
		if f.AST.Name.Name == "main" {
			return
		}
		need := func(n ast.Node, name *ast.Ident, docs ...*ast.CommentGroup) {
			if name.IsExported() && !slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool { return d.Text() != "" }) {
				report(f.Path, t.line(n.Pos()), "%s has no doc comment", name.Name)
			}
		}
		for _, decl := range f.AST.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil || ast.IsExported(receiver(decl)) {
					need(decl.Name, decl.Name, decl.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						need(spec, spec.Name, decl.Doc, spec.Doc, spec.Comment)
						// The comment of an interface with one method covers the method.
						if i, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.IsExported() && i.Methods.NumFields() > 1 {
							for _, m := range i.Methods.List {
								for _, name := range m.Names {
									need(m, name, m.Doc, m.Comment)
								}
							}
						}
					case *ast.ValueSpec: // one comment may cover a whole group
						for _, name := range spec.Names {
							need(name, name, decl.Doc, spec.Doc, spec.Comment)
						}
					}
				}
			}
		}
	})
}

// receiver returns the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	e := f.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
