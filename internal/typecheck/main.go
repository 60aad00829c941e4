// Typecheck type-checks the module in the current folder and its tests for other systems, from
// source. It compiles no package, not even one of the standard library, so a target takes seconds
// where a cross build with an empty cache takes a minute.
//
//	(cd internal/typecheck && go build -o /tmp/typecheck) && /tmp/typecheck linux/arm64 darwin/amd64
//
// It finds what the type checker finds, such as a name that is missing on a system, or a constant
// that overflows a 32-bit int. It does not find what only code generation or the linker rejects;
// `./test.sh long` builds for that.
//
// It is a module of its own, since it needs packages that locator does not need.
package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS/GOARCH...")
		os.Exit(2)
	}
	failed := false
	for _, target := range os.Args[1:] {
		found, err := check(ctx, "", target, "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
			os.Exit(1)
		}
		for _, e := range found {
			fmt.Printf("%s: %v\n", target, e)
		}
		failed = failed || len(found) > 0
	}
	if failed {
		os.Exit(1)
	}
}

// check type-checks the packages that match the patterns in dir, with their tests and imports, and
// returns the errors found. A target is GOOS/GOARCH.
func check(ctx context.Context, dir, target string, patterns ...string) (found []packages.Error, err error) {
	system, arch, ok := strings.Cut(target, "/")
	if !ok {
		return nil, errors.New("a target has the form GOOS/GOARCH")
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	std := filepath.Join(strings.TrimSpace(string(root)), "src") + string(filepath.Separator)
	list, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedModule, // NeedTypesInfo doubles the time
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		Tests: true,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.AllErrors|parser.SkipObjectResolution)
			if f != nil && strings.HasPrefix(name, std) {
				dropBodies(f)
			}
			return f, err
		},
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no package matches %q", patterns)
	}
	seen := make(map[packages.Error]bool) // a package and its variant with tests have the same errors
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module == nil { // the standard library, which has no bodies here
			return
		}
		for _, e := range p.Errors {
			if !seen[e] {
				seen[e] = true
				found = append(found, e)
			}
		}
	})
	return found, nil
}

// dropBodies removes the function bodies of a file of the standard library. Checking them takes
// most of the time and is not needed.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Body = nil
		}
	}
}
