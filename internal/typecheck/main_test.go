package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Check finds errors in code that is compiled only for one system or one size of int, in tests and
// in other packages, and reports them only there.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                "module example\n\ngo 1.26\n",
		"a.go":                  "package example\n\nimport \"example/b\"\n\nvar A = b.Get()\n",
		"a_darwin_test.go":      "package example\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Nothing() }\n",
		"a_windows.go":          "package example\n\nimport \"syscall\"\n\nfunc f() { syscall.NoSuchCall() }\n",
		"b/b.go":                "package b\n\nimport \"slices\"\n\nfunc Get() int { return slices.Max([]int{big}) }\n",
		"b/b_386.go":            "package b\n\nconst big = 1 << 40\n",
		"b/b_amd64.go":          "package b\n\nconst big = 1 << 40\n",
		"b/b_arm64.go":          "package b\n\nconst big = 1 << 40\n",
		"b/unused/unused.go":    "package unused\n",
		"b/unused/u_windows.go": "package unused\n\nimport \"os\"\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string][]string{
		"linux/amd64":   nil,
		"linux/386":     {"overflows"},
		"darwin/arm64":  {"t.Nothing undefined"},
		"windows/amd64": {"NoSuchCall", "imported and not used"},
	} {
		found, err := check(t.Context(), dir, target, "./...")
		if err != nil {
			t.Fatal(err)
		}
		ok := len(found) == len(want)
		for i := range want {
			ok = ok && strings.Contains(found[i].Msg, want[i])
		}
		if !ok {
			t.Errorf("%s: %v, want %q", target, found, want)
		}
	}
	if _, err := check(t.Context(), dir, "linux/nothing", "./..."); err == nil {
		t.Error("no error for an unknown target")
	}
}
