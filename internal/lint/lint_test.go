package lint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestHouseRules checks the module with every rule.
func TestHouseRules(t *testing.T) {
	t.Parallel()
	tree, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if tree.pkg(".") == nil || tree.pkg("internal/lint") == nil {
		t.Fatal("not the root of the module")
	}
	for _, r := range Rules() {
		if r.Name == "script-mode" && runtime.GOOS == "windows" {
			continue // Windows has no such permission
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			found := r.Check(tree)
			for _, f := range found {
				t.Errorf("%v", f)
			}
			if len(found) > 0 {
				t.Logf("The rule: %s.", r.Why)
			}
		})
	}
}

// TestRulesFire checks that each rule reports the lines that its example lists.
func TestRulesFire(t *testing.T) {
	t.Parallel()
	examples := make(map[string]bool)
	files, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		examples[strings.TrimSuffix(filepath.Base(f), ".txtar")] = true
	}
	for _, r := range Rules() {
		if !examples[r.Name] {
			t.Errorf("the rule %s has no example in testdata/bad", r.Name)
			continue
		}
		delete(examples, r.Name)
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			fsys, wants := example(t, "testdata/bad/"+r.Name+".txtar")
			tree, err := Load(fsys)
			if err != nil {
				t.Fatal(err)
			}
			found := r.Check(tree)
			for i := range max(len(wants), len(found)) {
				switch {
				case i >= len(found):
					t.Errorf("not reported: %s", wants[i])
				case i >= len(wants):
					t.Errorf("unexpected: %v", found[i])
				case !strings.HasPrefix(found[i].String(), wants[i]):
					t.Errorf("found %v\nwant  %s", found[i], wants[i])
				}
			}
		})
	}
	for name := range examples {
		t.Errorf("testdata/bad/%s.txtar belongs to no rule", name)
	}
}

// example reads an archive. It returns its files and the beginnings of the expected findings, in
// the order of the files.
func example(t *testing.T, name string) (fs.FS, []string) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var wants []string
	for line := range strings.Lines(string(a.Comment)) {
		if w, ok := strings.CutPrefix(strings.TrimSpace(line), "want: "); ok {
			wants = append(wants, w)
		}
	}
	if len(wants) == 0 {
		t.Fatalf("%s lists no findings", name)
	}
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys, wants
}

func TestLength(t *testing.T) {
	t.Parallel()
	long := []byte("#!/bin/sh\n" + strings.Repeat("\n", maxLines))
	tree, err := Load(fstest.MapFS{
		"a.sh": {Data: long}, "b.sh": {Data: long[:len(long)-1]}, "c.md": {Data: long[1:]}, "testdata/d.sh": {Data: long},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range Rules() {
		if r.Name == "length" {
			got = append(got, fmt.Sprint(r.Check(tree)))
		}
	}
	if want := "[[a.sh: 601 lines, at most 600: split it by subject]]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestScriptModeGood(t *testing.T) {
	t.Parallel()
	tree, err := Load(fstest.MapFS{".ci/run": {Data: []byte("#!/bin/sh\n"), Mode: 0o755}, ".git/x": {Data: []byte("#!/bin/sh\n")}})
	if err != nil {
		t.Fatal(err)
	}
	checkScriptMode(tree, func(path string, _ int, format string, args ...any) {
		t.Errorf("%s: "+format, append([]any{path}, args...)...)
	})
	if len(tree.Files) != 1 {
		t.Errorf("read %d files, want only .ci/run", len(tree.Files))
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	if _, err := Load(fstest.MapFS{"a.go": {Data: []byte("package")}}); err == nil {
		t.Error("no error for an invalid Go file")
	}
	tree, err := Load(fstest.MapFS{"bin": {Data: []byte("#!x\x00")}, "testdata/a.go": {Data: []byte("package")}})
	if err != nil || len(tree.Files) != 1 || len(tree.Packages) != 0 {
		t.Errorf("got %+v, %v; want one file and no package", tree, err)
	}
}
