package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
)

// Covers: S20
func TestDemonstration(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), &out, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/greeting: object\n    hello from the eleventh scheme\n", "/names/: listing\n", `caf\xe9.txt  x-echo://`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// The other schemes are available too, and errors set the exit status.
//
// Covers: S20
func TestBesideTheOthers(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(name, []byte("a\x1bfile"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, []string{"file://" + filepath.ToSlash(name)}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), ": object\n    a\\x1bfile\n") {
		t.Errorf("got a local file: %q", out.String())
	}
	for url, want := range map[string]scheme.Code{
		"x-echo://127.0.0.1:25/x": scheme.CodeRefused,
		"x-echo:nowhere":          scheme.CodeMalformed,
		"x-other:nowhere":         scheme.CodeUnsupported,
		"no URL":                  scheme.CodeMalformed,
	} {
		if err := run(t.Context(), &out, []string{url}); client.CodeOf(err) != want {
			t.Errorf("%s: code %v, want %v: %v", url, client.CodeOf(err), want, err)
		}
	}
}
