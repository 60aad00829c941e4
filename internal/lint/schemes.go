package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// schemeNames are the schemes of RFC 1738 section 5, and https.
var schemeNames = []string{"ftp", "http", "https", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"}

// checkSchemeLayout wants the same files in every scheme package.
func checkSchemeLayout(t *Tree, report report) {
	for _, p := range t.Packages {
		dir := p.Dir
		if name := schemeOf(dir); name == "" || dir != "scheme/"+name {
			continue
		}
		for _, want := range []string{"doc.go", "scheme.go", "conformance_test.go"} {
			if !slices.ContainsFunc(p.Files, func(f *GoFile) bool { return f.Path == dir+"/"+want }) {
				report(dir, 0, "has no %s", want)
			}
		}
		if t.pkg(dir+"/"+schemeOf(dir)+"test") == nil {
			report(dir, 0, "has no test server in %stest", schemeOf(dir))
		}
	}
}

// checkSchemeNames forbids decisions on the name of a scheme where the kind of a resource decides.
func checkSchemeNames(t *Tree, report report) {
	choose := func(dir string) bool { return below(dir, "gateway") || below(dir, "check") }
	t.each(choose, func(_ *Package, f *GoFile) {
		bad := func(e ast.Expr) {
			l, ok := e.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return
			}
			if name, err := strconv.Unquote(l.Value); err == nil && slices.Contains(schemeNames, strings.TrimSuffix(name, ":")) {
				report(f.Path, t.line(l.Pos()), "decides by the scheme %q: decide by the kind of the resource, or by an ability of the scheme", name)
			}
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				for _, e := range n.List {
					bad(e)
				}
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					bad(n.X)
					bad(n.Y)
				}
			case *ast.KeyValueExpr:
				bad(n.Key)
			case *ast.IndexExpr:
				bad(n.Index)
			}
			return true
		})
	})
}
