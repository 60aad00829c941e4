package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports compares the table of library.md of what is compiled into a program with what the go
// command lists.
func TestImports(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "| import | modules and packages |\n|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatal("library.md has no table of imports")
	}
	fresh := ""
	module, err := exec.CommandContext(t.Context(), "go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, imports := range []string{"", "/find", "/vet", "/find/format", "/find/search", "/client /scheme/http", "/client /scheme/all", "/tree", "/download", "/upload", "/archive", "/outbox", "/explain", "/schemetest"} {
		packages := strings.Split(imports, " ")
		for i := range packages {
			packages[i] = strings.TrimSpace(string(module)) + packages[i]
		}
		fresh += fmt.Sprintf("| `%s` | %s |\n", strings.Join(packages, "`, `"), modules(t, packages))
	}
	if strings.TrimSpace(table) != strings.TrimSpace(fresh) {
		if !*update {
			t.Fatalf("the table of imports is\n%sgo test ./docs -run TestImports -update writes it", fresh)
		}
		if err := os.WriteFile("library.md", []byte(strings.Replace(string(page), table, strings.TrimSpace(fresh), 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// modules returns the other modules that are compiled with packages, each with its number of
// packages.
func modules(t *testing.T, packages []string) string {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}"}, packages...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	count := make(map[string]int)
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, count[name])
	}
	return strings.Join(names, ", ")
}
