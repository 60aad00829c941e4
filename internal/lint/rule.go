package lint

import (
	"cmp"
	"fmt"
	"slices"
)

// Rule is one house rule.
type Rule struct {
	Name  string // the example that breaks it is testdata/bad/NAME.txtar
	Why   string
	check func(*Tree, report)
}

// Finding is one place that breaks a rule.
type Finding struct {
	Path string // below the module's root
	Line int    // from 1; 0 means the file or folder as a whole
	Msg  string // what is wrong and what to do
}

func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Msg)
}

// report takes one finding.
type report func(path string, line int, format string, args ...any)

// Rules lists every rule.
func Rules() []Rule {
	return []Rule{
		{"imports", "text and network are two worlds; a scheme sees the world only through Env", checkImports},
		{"network", "every connection goes through Env.Dial, for policy sits there", checkNetwork},
		{"scheme-layout", "every scheme package looks like its neighbours", checkSchemeLayout},
		{"scheme-names", "client, download, gateway, check and cmd switch on the kind of a resource, never on its scheme", checkSchemeNames},
		{"package-comment", "doc.go says what a package is for, and which RFCs it implements", checkPackageComment},
		{"doc-comments", "every exported identifier has a doc comment", checkDocComments},
		{"examples", "every exported name of the root package is shown at work", checkExamples},
		{"context-first", "a context is the first parameter", checkContextFirst},
		{"init", "nothing happens by import", checkInit},
		{"globals", "no global mutable state", checkGlobals},
		{"length", "a file has one subject", checkLength},
		{"skips", "nobody takes a test for passed that did not run", checkSkips},
		{"foreign-paths", "a clone is complete by itself", checkForeignPaths},
		{"script-mode", "a script can be run", checkScriptMode},
	}
}

// Check gives all that breaks the rule, in the order of the files.
func (r Rule) Check(t *Tree) []Finding {
	var all []Finding
	r.check(t, func(path string, line int, format string, args ...any) {
		all = append(all, Finding{path, line, fmt.Sprintf(format, args...)})
	})
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return all
}
