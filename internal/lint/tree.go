package lint

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// module is the path of the module that the rules check, which is their own.
var module = strings.TrimSuffix(reflect.TypeFor[Tree]().PkgPath(), "/internal/lint")

// Tree is the source of the module and of the example modules inside it.
type Tree struct {
	Files    []File     // every text file
	Packages []*Package // every folder with Go files, without testdata
	fset     *token.FileSet
}

// File is one text file.
type File struct {
	Path string
	Text string
	Mode fs.FileMode
}

// Package is one folder.
type Package struct {
	Dir   string // relative to the module's root; "." is the root package
	Files []*GoFile
}

// GoFile is one Go file.
type GoFile struct {
	Path string
	Test bool // named _test.go
	AST  *ast.File
}

// Load reads the tree. A Go file that does not parse is an error.
func Load(fsys fs.FS) (*Tree, error) {
	t := &Tree{fset: token.NewFileSet()}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && base[0] == '.' && base != ".ci" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || name == ".git" { // .git is a file in a linked worktree
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 { // a NUL: a binary that was built here
			return err
		}
		t.Files = append(t.Files, File{name, string(text), info.Mode()})
		if path.Ext(name) != ".go" || inTestdata(name) {
			return nil
		}
		file, err := parser.ParseFile(t.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p := t.pkg(path.Dir(name))
		if p == nil {
			p = &Package{Dir: path.Dir(name)}
			t.Packages = append(t.Packages, p)
		}
		p.Files = append(p.Files, &GoFile{name, strings.HasSuffix(name, "_test.go"), file})
		return nil
	})
	return t, err
}

// pkg returns the package in a folder, or nil.
func (t *Tree) pkg(dir string) *Package {
	for _, p := range t.Packages {
		if p.Dir == dir {
			return p
		}
	}
	return nil
}

func (t *Tree) line(p token.Pos) int { return t.fset.Position(p).Line }

// each calls f for every Go file that is not a _test.go file of the packages that choose accepts.
func (t *Tree) each(choose func(dir string) bool, f func(*Package, *GoFile)) {
	for _, p := range t.Packages {
		if !choose(p.Dir) {
			continue
		}
		for _, file := range p.Files {
			if !file.Test {
				f(p, file)
			}
		}
	}
}

func everywhere(string) bool { return true }

func inTestdata(name string) bool { return slices.Contains(strings.Split(name, "/"), "testdata") }

// below reports whether a folder is top or lies below it.
func below(dir, top string) bool { return dir == top || strings.HasPrefix(dir, top+"/") }

// testCode reports whether a folder holds code that only tests and the tour need: a test server
// (ftp/ftptest), the conformance suite, or the benchmarks.
func testCode(dir string) bool {
	names := strings.Split(dir, "/")
	for i := range len(names) - 1 {
		if names[i+1] == names[i]+"test" {
			return true
		}
	}
	return below(dir, "schemetest") || below(dir, "bench")
}

// serverCode reports whether a folder holds a server that the program runs (wais/waisserver). It
// listens, and reads the files that it serves.
func serverCode(dir string) bool {
	names := strings.Split(dir, "/")
	for i := range len(names) - 1 {
		if names[i+1] == names[i]+"server" {
			return true
		}
	}
	return false
}

// schemeOf returns the scheme package that a folder belongs to: "ftp" for scheme/ftp and
// scheme/ftp/listing. It returns "" for the contract, the list scheme/all, shared code in
// scheme/internal and servers.
func schemeOf(dir string) string {
	rest, ok := strings.CutPrefix(dir, "scheme/")
	name, _, _ := strings.Cut(rest, "/")
	if !ok || testCode(dir) || serverCode(dir) || name == "all" || name == "internal" || slices.Contains(contractParts(), dir) {
		return ""
	}
	return name
}

// contractParts returns the folders of the contract below scheme.
func contractParts() []string {
	return []string{"scheme/ability", "scheme/bulk", "scheme/form", "scheme/message", "scheme/session"}
}

// importPath returns the path of an import, without its quotes.
func importPath(s *ast.ImportSpec) string {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return s.Path.Value
	}
	return p
}

// moduleDir returns the folder of a package of the module from its import path.
func moduleDir(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}
