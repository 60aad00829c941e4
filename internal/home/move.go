package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// modulePattern matches paths that the go command can download.
var modulePattern = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// change is a file and its new content.
type change struct {
	name string
	mode fs.FileMode
	text []byte
}

// move moves the module in root to another path. It returns how many files it has changed. Nothing
// is written before everything is known.
func move(root, path string) (int, error) {
	if !modulePattern.MatchString(path) {
		return 0, fmt.Errorf("%q is not a path of a module that can be downloaded: it begins with a host name, such as example.org/locator", path)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	line := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(text)
	if line == nil {
		return 0, errors.New("go.mod names no module")
	}
	old := string(line[1])
	if old == path {
		return 0, fmt.Errorf("the module is %s already", path)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return 0, err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	changes, err := findChanges(root, newRewriter(old, path, folders))
	if err != nil {
		return 0, err
	}
	for _, c := range changes {
		if err := os.WriteFile(c.name, c.text, c.mode); err != nil {
			return 0, err
		}
	}
	return len(changes), nil
}

// findChanges reads all files of the source.
func findChanges(root string, r rewriter) (changes []change, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "build", "vendor", "node_modules"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		moved := r.rewrite(string(text))
		if d.Name() == "LICENSES" {
			moved = strings.Replace(moved, "\n"+r.old+"\n", "\n"+r.path+"\n", 1) // the first section
		}
		if moved == string(text) {
			return nil
		}
		out := []byte(moved)
		if filepath.Ext(name) == ".go" {
			// Imports are sorted by path. A file that is not formatted stays as it is.
			if before, err := format.Source(text); err == nil && bytes.Equal(before, text) {
				if out, err = format.Source(out); err != nil {
					return err
				}
			}
		}
		changes = append(changes, change{name, info.Mode().Perm(), out})
		return nil
	})
	return changes, err
}

// rewriter replaces the path of the module, which may also be the name of a program: it is only
// replaced where it can be nothing else.
type rewriter struct {
	old, path string
	rules     []*regexp.Regexp // the group "old" is replaced
}

// newRewriter returns the rules for packages in the folders of a module, and for the module itself:
// imports, lines of go.mod, the table of packages, and addresses of its documentation.
func newRewriter(old, path string, folders []string) rewriter {
	name := `(?P<old>` + regexp.QuoteMeta(old) + `)`
	below := `/(?:\.\.\.|(?:` + strings.Join(folders, "|") + `)(?:$|[^\w.=-]|\.(?:$|[\sA-Z.])))`
	r := rewriter{old: old, path: path}
	for _, rule := range []string{
		`(?:^|[^\w./~$}-]|pkg\.go\.dev/)` + name + below,
		`(?m)^\s*(?:import\s+)?(?:(?P<word>\w+|\.)\s+)?"` + name + `(?:/[^"\n]*)?"(?:\s*//.*)?$`,
		`\bimport\s+(?:(?:\w+|\.)\s+)?"` + name + `["/]`,
		`(?m)^(?:\s*|.* )(?:module|require|replace) ` + name + `(?:$| v\d| =>)`,
		`(?m)^\s+` + name + ` v\d\S*(?:$|\s)`,
		"(?m)^\\| `" + name + "` \\| [\\w-]+\\.[a-z]+/",
		`pkg\.go\.dev/` + name + `(?:$|[^\w/-])`,
	} {
		r.rules = append(r.rules, regexp.MustCompile(rule))
	}
	return r
}

// rewrite returns a text with the other path.
func (r rewriter) rewrite(text string) string {
	for _, rule := range r.rules {
		group, word := 2*rule.SubexpIndex("old"), 2*rule.SubexpIndex("word")
		var b strings.Builder
		rest := 0
		for at := 0; ; {
			m := rule.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			from, to := at+m[group], at+m[group+1]
			if word >= 0 && m[word] >= 0 && token.IsKeyword(text[at+m[word]:at+m[word+1]]) { // return "name"
				at = to
				continue
			}
			b.WriteString(text[rest:from])
			b.WriteString(r.path)
			rest, at = to, to // what follows a path may begin the next one
		}
		text = b.String() + text[rest:]
	}
	return text
}
