package lint

import (
	"go/ast"
	"path"
	"strings"
)

// dialers are the names that connect or look up an address without Env. A final * matches the rest
// of a name.
var dialers = map[string][]string{
	"net":           {"Dial*", "Dialer", "Resolver", "DefaultResolver", "Lookup*"},
	"net/http":      {"DefaultTransport", "DefaultClient", "Get", "Head", "Post", "PostForm", "ProxyFromEnvironment"},
	"net/smtp":      {"Dial", "SendMail"},
	"net/textproto": {"Dial"},
	"net/rpc":       {"Dial*"},
	"crypto/tls":    {"Dial*"},
}

// listeners are the names that listen. Only the gateway, the command line and its servers may.
var listeners = map[string][]string{
	"net":      {"Listen*", "FileListener"},
	"net/http": {"ListenAndServe*"},
}

// checkNetwork checks all product code except the client, which is the one place that dials.
func checkNetwork(t *Tree, report report) {
	choose := func(dir string) bool {
		return !below(dir, "client") && !below(dir, "internal") && !testCode(dir)
	}
	t.each(choose, func(p *Package, f *GoFile) {
		mayListen := below(p.Dir, "gateway") || below(p.Dir, "cmd") || serverCode(p.Dir)
		names := importNames(f.AST)
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				from, name := qualified(names, n)
				if matches(dialers[from], name) || !mayListen && matches(listeners[from], name) {
					report(f.Path, t.line(n.Pos()), "%s.%s bypasses policy: use Env.Dial", from, name)
				}
				if from == "crypto/tls" && name == "Client" && p.Dir != "wire" || from == module+"/wire" && name == "TLSClient" && p.Dir != "client" {
					report(f.Path, t.line(n.Pos()), "%s.%s: TLS is started by Dial.TLS in one place, with the user's settings, and a connection that is cut is an error", from, name)
				}
			case *ast.CompositeLit:
				from, name := qualified(names, n.Type)
				if from == "net/http" && name == "Client" && !hasKey(n, "Transport") {
					report(f.Path, t.line(n.Pos()), "an http.Client without Transport uses http.DefaultTransport")
				}
				if from == "net/http" && name == "Transport" && !hasKey(n, "DialContext") {
					report(f.Path, t.line(n.Pos()), "an http.Transport without DialContext bypasses Env.Dial")
				}
			}
			return true
		})
	})
}

// importNames maps the names of the imports of a file to their paths.
func importNames(f *ast.File) map[string]string {
	names := make(map[string]string)
	for _, s := range f.Imports {
		p := importPath(s)
		name := path.Base(p)
		if s.Name != nil {
			name = s.Name.Name
		}
		names[name] = p
	}
	return names
}

// qualified returns the import path and the name of an expression such as net.Dial, and "" and ""
// for any other.
func qualified(names map[string]string, e ast.Expr) (string, string) {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := s.X.(*ast.Ident)
	if !ok || names[id.Name] == "" {
		return "", ""
	}
	return names[id.Name], s.Sel.Name
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if start, open := strings.CutSuffix(p, "*"); p == name || open && strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

func hasKey(l *ast.CompositeLit, key string) bool {
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == key {
				return true
			}
		}
	}
	return false
}
