package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"locator"
)

// checkSchemeLayout requires the same files in every scheme package.
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
		if protocol := protocolOf(schemeOf(dir)); t.pkg(dir+"/"+protocol+"test") == nil {
			report(dir, 0, "has no test server in %stest", protocol)
		}
		for _, f := range p.Files {
			checkPlaces(t, dir, f, report)
		}
	}
}

// fileOf has the file of each declaration that every scheme package with such a thing has in a file
// of that name.
var fileOf = map[string]string{"place": "place.go", "conn": "conn.go", "session": "session.go", "Scheme.List": "list.go", "Scheme.Attributes": "attributes.go"}

// otherNames are names that meant the things of fileOf in some packages.
var otherNames = []string{"plan", "request", "peer", "control", "describe", "wishes", "reach", "told"}

// checkPlaces reports the declarations of a file of a scheme package that belong into another file
// or have another name.
func checkPlaces(t *Tree, dir string, f *GoFile, report report) {
	if strings.HasSuffix(f.Path, "_test.go") {
		return
	}
	base := strings.TrimPrefix(f.Path, dir+"/")
	if slices.Contains(otherNames, strings.TrimSuffix(base, ".go")) {
		report(f.Path, 0, "the file is named in a way of its own: the names are place, conn, session, list, attributes, errors")
	}
	declared := func(id *ast.Ident, name string) {
		if want := fileOf[name]; want != "" && base != want {
			report(f.Path, t.line(id.Pos()), "%s belongs into %s", name, want)
		}
		if slices.Contains(otherNames, id.Name) {
			report(f.Path, t.line(id.Pos()), "%s: every scheme package says place, conn, session or options for it", id.Name)
		}
	}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = "."
				if r, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
					name = r.Name + "." + d.Name.Name
				}
			}
			declared(d.Name, name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok {
					declared(ts.Name, ts.Name.Name)
				}
			}
		}
	}
}

// protocolOf returns the name of the protocol of a scheme package, after which its test server is
// named.
func protocolOf(name string) string {
	if name == "mailto" {
		return "smtp"
	}
	return name
}

// schemeFile is a file that may name schemes.
type schemeFile struct{ path, why string }

// schemeFiles is the whole list. An entry that is no longer needed is a finding.
func schemeFiles() []schemeFile {
	return []schemeFile{
		{"client/proxy.go", "names of environment variables and kinds of proxies"},
		{"internal/netdial/proxy.go", "connections to an http proxy"},
		{"cmd/locator/servefolder.go", "verbs that are called like the protocol that they serve"},
	}
}

// isWord reports whether a scheme name is also a word that a program prints, such as the name of a
// JSON field.
func isWord(name string) bool { return name == "file" || name == "news" }

// checkSchemeNames forbids names of schemes and uses of their views where the kind of a resource
// decides.
func checkSchemeNames(t *Tree, report report) {
	choose := func(dir string) bool {
		return slices.ContainsFunc([]string{"client", "internal/netdial", "internal/pool", "tree", "transfer", "archive", "internal/atomicfile", "download", "upload", "outbox", "explain", "internal/present", "internal/console", "internal/compose", "internal/settings", "internal/manual", "internal/urllist", "gateway", "check", "cmd"}, func(top string) bool { return below(dir, top) })
	}
	views := viewTypes(t)
	used := make(map[string]bool)
	t.each(choose, func(_ *Package, f *GoFile) {
		tell := func(n ast.Node, format string, args ...any) {
			if slices.ContainsFunc(schemeFiles(), func(a schemeFile) bool { return a.path == f.Path }) {
				used[f.Path] = true
				return
			}
			report(f.Path, t.line(n.Pos()), format+": decide by the kind of the resource, or by an ability of the scheme", args...)
		}
		deciding := decidingLiterals(f.AST)
		names := importNames(f.AST)
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				if name, ok := schemeName(n); ok && (deciding[n] || !isWord(name)) {
					tell(n, "names the scheme %q", name)
				}
			case *ast.SelectorExpr:
				if from, name := qualified(names, n); from == module && (name == "As" || slices.Contains(views, name)) {
					tell(n, "uses locator.%s, which only some schemes have", name)
				}
			}
			return true
		})
	})
	for _, a := range schemeFiles() {
		if slices.ContainsFunc(t.Files, func(f File) bool { return f.Path == a.path }) && !used[a.path] {
			report(a.path, 0, "no longer names a scheme: strike it from the list in internal/lint/schemes.go")
		}
	}
}

// schemeName returns the name of the scheme that a string literal is, as in "ftp", "ftp:" or
// "ftp://". The schemes are those of the table of package locator.
func schemeName(l *ast.BasicLit) (string, bool) {
	if l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	name := strings.TrimSuffix(strings.TrimSuffix(text, "//"), ":")
	syntax := locator.SyntaxOf(name)
	return name, err == nil && syntax != nil && syntax.Name == name
}

// decidingLiterals returns the literals that a value is compared with or looked up by.
func decidingLiterals(f *ast.File) map[*ast.BasicLit]bool {
	all := make(map[*ast.BasicLit]bool)
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if l, ok := e.(*ast.BasicLit); ok {
				all[l] = true
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			add(n.List...)
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				add(n.X, n.Y)
			}
		case *ast.KeyValueExpr:
			add(n.Key)
		case *ast.IndexExpr:
			add(n.Index)
		}
		return true
	})
	return all
}

// viewTypes returns the exported types of the files with the grammar and the view of one scheme.
func viewTypes(t *Tree) []string {
	var names []string
	t.each(func(dir string) bool { return dir == "." }, func(_ *Package, f *GoFile) {
		if !strings.HasPrefix(f.Path, "scheme_") {
			return
		}
		for _, decl := range f.AST.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			}
		}
	})
	return names
}
