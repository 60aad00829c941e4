package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"locator/internal/peers"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	r := newRewriter("short", "example.org/long/short", []string{"client", "cmd", "find"})
	for _, test := range []struct{ text, want string }{
		{"import \"short\"\n", "import \"LONG\"\n"},
		{"import (\n\t\"short\"\n\t. \"short/find\"\n\tx \"short/other\"\n)", "import (\n\t\"LONG\"\n\t. \"LONG/find\"\n\tx \"LONG/other\"\n)"},
		{"`package x; import \"short/a\"`", "`package x; import \"LONG/a\"`"},
		{"module short\n\nrequire short v0.0.0\n\nreplace short => ../\n", "module LONG\n\nrequire LONG v0.0.0\n\nreplace LONG => ../\n"},
		{"module short/find\n\nrequire (\n\tshort v0.0.0\n)\n", "module LONG/find\n\nrequire (\n\tLONG v0.0.0\n)\n"},
		{"go install short/cmd/short@latest", "go install LONG/cmd/short@latest"},
		{"go test short/...", "go test LONG/..."},
		{"Package short/find. And short/client, short/client short/find", "Package LONG/find. And LONG/client, LONG/client LONG/find"},
		{"[short/find.Options] https://pkg.go.dev/short/find and pkg.go.dev/short", "[LONG/find.Options] https://pkg.go.dev/LONG/find and pkg.go.dev/LONG"},
		{"| `short` | golang.org/x/net 1 |", "| `LONG` | golang.org/x/net 1 |"},
		// Names of programs and folders.
		{"exec(\n\t\"short\",\n)", ""}, {"bin.install \"short\"\n", ""}, {"\treturn \"short\"\n", ""}, {"| `short` | the program |", ""}, {"run short find", ""}, {"cmd/short/find.go", ""},
		{"~/.local/state/short/client", ""}, {"$HOME/short/find", ""}, {"short/1.0", ""}, {"short/find.go", ""}, {"short/other", ""}, {"a-short/find", ""},
	} {
		want := strings.ReplaceAll(test.want, "LONG", r.path)
		if want == "" {
			want = test.text
		}
		if got := r.rewrite(test.text); got != want {
			t.Errorf("%q became %q, want %q", test.text, got, want)
		}
	}
}

func TestMoveOfNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{"", "locator", "Example.org/x", "example.org/", "example.org/a b", "https://example.org/x", "example.org/../x"} {
		if _, err := move(dir, path); err == nil || !strings.Contains(err.Error(), "is not a path of a module that can be downloaded") {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := move(dir, "example.org/x"); err == nil {
		t.Error("a folder without go.mod was moved")
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := move(dir, "example.org/x"); err == nil || !strings.Contains(err.Error(), "is example.org/x already") {
		t.Errorf("the same path: %v", err)
	}
}

// copyTree copies the source of this module, without what is built there.
func copyTree(t *testing.T) string {
	t.Helper()
	const root = "../.."
	dir := t.TempDir()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.TrimPrefix(name, root))
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "build" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case !d.Type().IsRegular() || d.Name() == ".git":
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, info.Mode().Perm()|0o200)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMove moves a copy of this module. No import of its former path is left, and the go command
// finds all packages; in a long run they are built and tested.
func TestMove(t *testing.T) {
	t.Parallel()
	dir := copyTree(t)
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	old, path := strings.TrimPrefix(first, "module "), "example.org/long/locator"
	if old == path { // of a copy that was moved
		path = "example.org/locator"
	}
	if n, err := move(dir, path); err != nil || n < 500 {
		t.Fatalf("%d files, %v", n, err)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return nil // a test of something that does not parse
		}
		for _, s := range f.Imports {
			if imported, err := strconv.Unquote(s.Path.Value); err != nil || imported == old || strings.HasPrefix(imported, old+"/") {
				t.Errorf("%s imports %s, %v", name, imported, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	run := func(folder, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = filepath.Join(dir, folder)
		cmd.Env = append(os.Environ(), "LOCATOR_LONG=", "LOCATOR_PEERS=") // else the copy moves a copy
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %v\n%s", folder, cmd, err, out)
		}
		return string(out)
	}
	for _, module := range []string{".", "bench", "examples/xecho", "internal/browser", "internal/typecheck"} {
		if found := run(module, "go", "list", "./..."); found == "" || module != "examples/xecho" && !strings.HasPrefix(found, path) {
			t.Errorf("%s has the packages %s", module, found)
		}
	}
	if licenses, err := os.ReadFile(filepath.Join(dir, "cmd", "locator", "LICENSES")); err != nil || !strings.Contains(string(licenses), "\n"+path+"\n") {
		t.Errorf("LICENSES does not name %s, %v", path, err)
	}
	peers.LongRun(t, "all tests of a module that has moved")
	run(".", "go", "build", "./...")
	if out := run(".", "go", "test", "-short", "./..."); t.Failed() {
		t.Log(out)
	}
}
