package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestModule reads the requirements and tests of this module: an unknown ID is an error.
func TestModule(t *testing.T) {
	t.Parallel()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generate(os.DirFS(root)); err != nil {
		t.Error(err)
	}
}

const table = "# Title\n\n## Syntax\n\n| ID | Clause | Requirement |\n|---|---|---|\n" +
	"| S1 | 2.1 | one |\n| S2a | 3.2, 5 | `a\\|b` two |\n\n## Empty\n\n## Access\n\n| ID | Clause | Requirement |\n|---|---|---|\n| A10 | - | ten |\n"

func module(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{requirementsFile: {Data: []byte(table)}}
	for i, page := range defencePages() {
		fsys[page] = &fstest.MapFile{Data: fmt.Appendf(nil, "## Defences\n\n| ID | attack | result |\n|---|---|---|\n| T%d | line | refused |\n", i)}
	}
	fsys["t_test.go"] = &fstest.MapFile{Data: []byte("package a\n\n// Covers: T0, T1, T2\nfunc TestT() {}\n")}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	got, err := generate(module(
		"a_test.go", "package a\n\n// TestA tests.\n//\n// Covers: S1, A10\nfunc TestA() {}\n\n// Covers: S1\nfunc FuzzA() {\n\t// Covers: S2a\n}\n",
		"schemetest/suite.go", "package schemetest\n\n// Covers: S1\nfunc (s *suite) trip() {}\n",
		"scheme/x/testdata/no.go", "package no\n\n// Covers: X9\nfunc No() {}\n",
		".hidden/no.go", "package no\n\n// Covers: X9\nfunc No() {}\n",
		scripts+"/ftp/get.txtar", "# Covers: S1\nexec true\n-- file --\n# Covers: X9\n",
		scripts+"/get.go", "not Go",
		"cmd/locator/testdata/other/x.txtar", "# Covers: X9\n",
		"b_test.go", "package a\n\n// Covers much, as prose may say.\nvar x int\n",
	))
	if err != nil {
		t.Fatal(err)
	}
	want := `3 of 3 requirements have at least one test.

## Syntax

| ID | Clause or attack | Requirement | Tests |
|---|---|---|---|
| S1 | 2.1 | one | ` + "`locator`: FuzzA, TestA; `cmd/locator`: ftp/get.txtar; `schemetest`: trip" + ` |
| S2a | 3.2, 5 | ` + "`a\\|b`" + ` two | ` + "`locator`: FuzzA" + ` |

## Access

| ID | Clause or attack | Requirement | Tests |
|---|---|---|---|
| A10 | - | ten | ` + "`locator`: TestA" + ` |

## Defences

| ID | Clause or attack | Requirement | Tests |
|---|---|---|---|
| T0 | line | refused | ` + "`locator`: TestT" + ` |

## Defences

| ID | Clause or attack | Requirement | Tests |
|---|---|---|---|
| T1 | line | refused | ` + "`locator`: TestT" + ` |

## Defences

| ID | Clause or attack | Requirement | Tests |
|---|---|---|---|
| T2 | line | refused | ` + "`locator`: TestT" + ` |
`
	if !strings.HasSuffix(string(got), want) {
		t.Errorf("got:\n%s\nwant at the end:\n%s", got, want)
	}
	again, err := generate(module())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(again), "0 of 3 ") || !strings.Contains(string(again), "| A10 | - | ten | - |\n") {
		t.Errorf("without tests:\n%s", again)
	}
}

func TestGenerateErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text, want string
	}{
		{"unknown ID", "a_test.go", "package a\n\n// Covers: S1, S99\nfunc TestA() {}\n", "a_test.go:3: no page has a row S99"},
		{"no function", "a_test.go", "package a\n\n// Covers: S1\nvar x int\n", "a_test.go:3: the comment is neither"},
		{"no colon", "a_test.go", "package a\n\n// Covers S1\nfunc TestA() {}\n", `a_test.go:3: "// Covers S1" is not of the form`},
		{"no blank", "a_test.go", "package a\n\n//Covers: S1\nfunc TestA() {}\n", "a_test.go:3: "},
		{"lower case", "a_test.go", "package a\n\n// covers: S1\nfunc TestA() {}\n", "a_test.go:3: "},
		{"more words", "a_test.go", "package a\n\n// Covers: S1 and S2\nfunc TestA() {}\n", "a_test.go:3: "},
		{"nothing", "a_test.go", "package a\n\n// Covers:\nfunc TestA() {}\n", "a_test.go:3: "},
		{"no Go", "a_test.go", "package a // covers\nfunc", "a_test.go:2:"},
		{"script", scripts + "/a.txtar", "\n# Covers: S99\n", "a.txtar:2: no page has a row S99"},
		{"script form", scripts + "/a.txtar", "# Covers: s1\n", "a.txtar:1: "},
		{"twice", requirementsFile, table + "| A10 | - | again |\n", requirementsFile + ":17: a second A10"},
		{"two cells", requirementsFile, table + "| A11 | - |\n", requirementsFile + ":17: a row needs"},
		{"no rows", requirementsFile, "# Title\n", "no row with an ID found"},
		{"attack without a test", "t_test.go", "package a\n\n// Covers: T1\nfunc TestT() {}\n", defencePages()[0] + ": no test cites T0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := generate(module(c.file, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one that contains %q", err, c.want)
			}
		})
	}
	if _, err := generate(fstest.MapFS{}); err == nil {
		t.Error("no error for a module without requirements")
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"short", "short"},
		{strings.Repeat("word ", 20), strings.TrimSpace(strings.Repeat("word ", 16)) + " ..."},
		{strings.Repeat("é", 80), strings.Repeat("é", 80)},
		{"one, `" + strings.Repeat("code ", 20) + "`", "one ..."},
	} {
		if got := short(c.in); got != c.want {
			t.Errorf("short(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}
