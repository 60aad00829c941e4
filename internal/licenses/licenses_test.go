package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"locator/internal/buildinfo"
)

// TestUpToDate checks that the file has the texts of exactly the modules and versions that go.mod
// selects.
func TestUpToDate(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(licensesFile)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run go run ./internal/licenses -w", licensesFile)
	}
	if own := buildinfo.ParseLicenses(string(want))[0]; path.Base(own.Module) != "locator" || own.Version != "" {
		t.Errorf("the first section is of %s %s", own.Module, own.Version)
	}
	for _, l := range buildinfo.ParseLicenses(string(want)) {
		if strings.HasPrefix(l.Version, "v") != strings.HasPrefix(l.Sum, "h1:") || len(l.Text) < 500 {
			t.Errorf("%s %s has the sum %q and a text of %d bytes", l.Module, l.Version, l.Sum, len(l.Text))
		}
	}
	// mousetrap is linked on Windows only.
	for _, name := range []string{"\ngithub.com/inconshreveable/mousetrap v", "\nthe Go standard library\n"} {
		if !bytes.Contains(want, []byte(name)) {
			t.Errorf("no section for %q", strings.TrimSpace(name))
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got, err := texts(dir); err == nil {
		t.Errorf("a folder without a licence has the text %q", got)
	}
	for name, text := range map[string]string{
		"LICENSE.txt": "\r\nlicence\r\n", "NOTICE": "notice", "UNLICENSE": "free\n\n", "license.go": "package x", "README": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const want = "licence\n\nnotice\n\nfree\n"
	if got, err := texts(dir); err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
