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

// Finding is a place that breaks a rule.
type Finding struct {
	Path string // relative to the module's root
	Line int    // from 1; 0 means the file or folder as a whole
	Msg  string // what is wrong and what to do
}

func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Msg)
}

// report adds a finding.
type report func(path string, line int, format string, args ...any)

// Rules returns every rule.
func Rules() []Rule {
	return []Rule{
		{"imports", "parsing does not use the network; a scheme uses the system only through Env", checkImports},
		{"network", "every connection goes through Env.Dial, which applies the policy", checkNetwork},
		{"scheme-layout", "every scheme package has the same layout", checkSchemeLayout},
		{"scheme-names", "client, tree, transfer, archive, download, upload, gateway, check and cmd switch on the kind of a resource, never on its scheme", checkSchemeNames},
		{"package-comment", "doc.go states the purpose of a package and the RFCs that it implements", checkPackageComment},
		{"doc-comments", "every exported identifier has a doc comment", checkDocComments},
		{"examples", "every exported name of the root package has an example", checkExamples},
		{"context-first", "a context is the first parameter", checkContextFirst},
		{"init", "importing a package has no side effects", checkInit},
		{"globals", "no global mutable state", checkGlobals},
		{"length", "a file has one subject", checkLength},
		{"test-names", "a test is found by the name of its file", checkTestNames},
		{"root-entries", "the root is a page that people read", checkRootEntries},
		{"command-size", "the command line is flags, one call, print and status", checkCommandSize},
		{"contract-size", "the contract fits one head", checkContractSize},
		{"skips", "a skipped test is always reported", checkSkips},
		{"foreign-paths", "a clone is complete", checkForeignPaths},
		{"modules", "a program that imports the module downloads none of our tools", checkModules},
		{"flags-in-texts", "the library is used without the command line", checkFlagsInTexts},
		{"hints", "the command line has words for each hint of an error", checkHints},
		{"script-mode", "a script is executable", checkScriptMode},
	}
}

// Check returns all findings of the rule, in the order of the files.
func (r Rule) Check(t *Tree) []Finding {
	var all []Finding
	r.check(t, func(path string, line int, format string, args ...any) {
		all = append(all, Finding{path, line, fmt.Sprintf(format, args...)})
	})
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return all
}
