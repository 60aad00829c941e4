package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// scripts is the folder of the command line's testscripts.
const scripts = "cmd/locator/testdata/script"

// citation records that a test covers a requirement.
type citation struct {
	id   string
	pkg  string // the test's folder, "." for the root package
	test string
	at   string // file:line
}

var (
	citePattern = regexp.MustCompile(`^(?://|#) Covers: ([A-Z]+[0-9]+[a-z]?(?:, [A-Z]+[0-9]+[a-z]?)*)$`)
	nearPattern = regexp.MustCompile(`(?i)^(?://|#)\s*covers\b`)
)

// parseCovers returns the IDs of a "Covers" line. It fails if a line resembles one but is
// malformed.
func parseCovers(line, at string) ([]string, error) {
	line = strings.TrimRight(line, " \t\r")
	if m := citePattern.FindStringSubmatch(line); m != nil {
		return strings.Split(m[1], ", "), nil
	}
	// Prose may begin with the word. A colon or an ID after it makes the line a malformed citation.
	if rest := nearPattern.ReplaceAllString(line, ""); rest != line {
		rest = strings.TrimSpace(rest)
		if first, _, _ := strings.Cut(rest, " "); strings.HasPrefix(rest, ":") || idPattern.MatchString(strings.TrimRight(first, ",.;")) {
			return nil, fmt.Errorf("%s: %q is not of the form %q", at, line, "Covers: S7, A2")
		}
	}
	return nil, nil
}

// readCitations returns the citations in every Go file and testscript of the module.
func readCitations(fsys fs.FS) ([]citation, error) {
	var all []citation
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var read func(name, text string) ([]citation, error)
		switch hidden := name != "." && d.Name()[0] == '.'; {
		case d.IsDir():
			inScripts := name == scripts || strings.HasPrefix(scripts+"/", name+"/") || strings.HasPrefix(name, scripts+"/")
			if hidden || d.Name() == "testdata" && !inScripts {
				return fs.SkipDir
			}
			return nil
		case path.Ext(name) == ".go" && !strings.Contains(name, "testdata/"):
			read = goCitations
		case path.Ext(name) == ".txtar" && strings.HasPrefix(name, scripts+"/"):
			read = scriptCitations
		default:
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		found, err := read(name, string(text))
		all = append(all, found...)
		return err
	})
	slices.SortStableFunc(all, func(a, b citation) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.test, b.test))
	})
	return all, err
}

// goCitations returns the citations in one Go file.
func goCitations(name, text string) ([]citation, error) {
	if !strings.Contains(strings.ToLower(text), "covers") {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var all []citation
	for _, group := range file.Comments {
		for _, comment := range group.List {
			at := fmt.Sprintf("%s:%d", name, fset.Position(comment.Pos()).Line)
			ids, err := parseCovers(comment.Text, at)
			if err != nil {
				return nil, err
			}
			if len(ids) == 0 {
				continue
			}
			test := functionAt(file, comment)
			if test == "" {
				return nil, fmt.Errorf("%s: the comment is neither above nor inside a function", at)
			}
			for _, id := range ids {
				all = append(all, citation{id, path.Dir(name), test, at})
			}
		}
	}
	return all, nil
}

// functionAt returns the name of the top-level function whose doc comment or body contains a
// comment.
func functionAt(file *ast.File, comment *ast.Comment) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if start <= comment.Pos() && comment.Pos() < f.End() {
			return f.Name.Name
		}
	}
	return ""
}

// scriptCitations returns the citations in the script part of a testscript, which ends at its first
// file.
func scriptCitations(name, text string) ([]citation, error) {
	var all []citation
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, "-- ") {
			break
		}
		at := fmt.Sprintf("%s:%d", name, number)
		ids, err := parseCovers(strings.TrimRight(line, "\n"), at)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			test := strings.TrimPrefix(name, scripts+"/")
			all = append(all, citation{id, "cmd/locator", test, at})
		}
	}
	return all, nil
}
