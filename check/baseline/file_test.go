package baseline_test

import (
	"os"
	"path/filepath"
	"testing"

	"locator/check/baseline"
	"locator/client"
	"locator/scheme"
)

func TestFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "b")
	if b, err := baseline.ReadFile("", false); b != nil || err != nil {
		t.Errorf("no name: %v, %v", b, err)
	}
	if _, err := baseline.ReadFile(name, false); client.CodeOf(err) != scheme.CodeLocal {
		t.Errorf("missing: %v", err)
	}
	if b, err := baseline.ReadFile(name, true); b != nil || err != nil {
		t.Errorf("may be missing: %v, %v", b, err)
	}
	line := `{"url":"http://a/","verdict":"broken","why":"gone","date":"2026-01-02"}` + "\n"
	if err := os.WriteFile(name, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := baseline.ReadFile(name, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != line {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.WriteFile(name, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := baseline.ReadFile(name, false); client.CodeOf(err) != scheme.CodeLocal {
		t.Errorf("malformed: %v", err)
	}
}
