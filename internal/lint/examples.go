package lint

import (
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkExamples requires an example function that is run, with the name that go doc finds, for
// every exported function, type and method of the root package, of repair and of vet. All views
// have the same methods: an example of one view shows that method of the others.
func checkExamples(t *Tree, report report) {
	for _, dir := range []string{".", "repair", "vet"} {
		if p := t.pkg(dir); p != nil {
			checkExamplesOf(t, p, report)
		}
	}
}

func checkExamplesOf(t *Tree, p *Package, report report) {
	shown := make(map[string]bool)
	for _, f := range p.Files {
		for _, decl := range f.AST.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && f.Test && d.Recv == nil {
				name, ok := strings.CutPrefix(d.Name.Name, "Example")
				switch {
				case !ok:
				case !hasOutput(f.AST, d):
					report(f.Path, t.line(d.Pos()), "%s has no output comment, so it is not run", d.Name.Name)
				default:
					shown[withoutSuffix(name)] = true
				}
			}
		}
	}
	views := make(map[string]bool) // the receivers of parts
	for _, f := range p.Files {
		for _, decl := range f.AST.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv != nil && d.Name.Name == "parts" {
				views[receiver(d)] = true
			}
		}
	}
	for name := range shown {
		if of, method, ok := strings.Cut(name, "_"); ok && views[of] {
			for v := range views {
				shown[v+"_"+method] = true
			}
		}
	}
	for _, f := range p.Files {
		if f.Test {
			continue
		}
		need := func(n ast.Node, name string) {
			if !shown[name] {
				report(f.Path, t.line(n.Pos()), "there is no func Example%s", name)
			}
		}
		for _, decl := range f.AST.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				switch {
				case !decl.Name.IsExported():
				case decl.Recv == nil:
					need(decl.Name, decl.Name.Name)
				case ast.IsExported(receiver(decl)):
					need(decl.Name, receiver(decl)+"_"+decl.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
						need(s, s.Name.Name)
					}
				}
			}
		}
	}
}

// hasOutput reports whether an example has an output comment.
func hasOutput(f *ast.File, d *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
		text := strings.ToLower(c.Text())
		return d.Pos() <= c.Pos() && c.End() <= d.End() && (strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:"))
	})
}

// withoutSuffix removes what distinguishes several examples of one identifier, "_" and a lower-case
// word.
func withoutSuffix(name string) string {
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		if r, _ := utf8.DecodeRuneInString(name[i+1:]); unicode.IsLower(r) {
			return name[:i]
		}
	}
	return name
}
