package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"locator/internal/peers"
)

// TestInstall runs make install for a package and checks what is installed.
func TestInstall(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "the Makefile is for Unix")
	}
	if _, err := exec.LookPath("make"); err != nil {
		peers.Skip(t, "make is not installed")
	}
	dir := t.TempDir()
	// Without -trimpath the build uses the packages that the tests have compiled.
	cmd := exec.CommandContext(t.Context(), "make", "-C", "../..", "install", "BUILD="+dir+"/build", "BUILDFLAGS=", "PREFIX=/usr",
		"DESTDIR="+dir+"/root", "VERSION=9.9.9", "REVISION=1a2b3c4d", "DATE=2027-01-02")
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	root := os.DirFS(dir + "/root")
	var got []string
	if err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	want := []string{
		"usr/bin/locator", "usr/share/bash-completion/completions/locator", "usr/share/fish/vendor_completions.d/locator.fish",
		"usr/share/zsh/site-functions/_locator", "usr/share/man/man1/locator.1",
	}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "LICENSES", "README.md"} {
		want = append(want, "usr/share/doc/locator/"+name)
	}
	for _, c := range (&app{}).root().Commands() {
		want = append(want, "usr/share/man/man1/locator-"+c.Name()+".1")
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("installed:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "root", "usr", "bin", "locator"), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "locator 9.9.9+1a2b3c4d go") || strings.Contains(string(out), "unknown") {
		t.Errorf("the version is %q, %v", out, err)
	}
	for name, word := range map[string]string{
		"usr/share/man/man1/locator-get.1":                 `.TH "LOCATOR-GET" "1" "2027-01-02" "Locator 9.9.9" "Locator"`,
		"usr/share/bash-completion/completions/locator":    "complete -o default -F __start_locator locator",
		"usr/share/zsh/site-functions/_locator":            "#compdef locator",
		"usr/share/fish/vendor_completions.d/locator.fish": "complete -c locator",
		"usr/share/doc/locator/LICENSES":                   "\ngithub.com/spf13/cobra v",
	} {
		if !strings.Contains(text(name), word) {
			t.Errorf("%s does not contain %q", name, word)
		}
	}
}
