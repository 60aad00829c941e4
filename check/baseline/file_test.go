package baseline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/check"
	"locator/check/baseline"
	"locator/client"
	"locator/internal/localsite"
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

// TestFileOfAnotherCheckout reads a baseline of local files in another folder than it was written in.
func TestFileOfAnotherCheckout(t *testing.T) {
	t.Parallel()
	url := func(folder, name string) string { return localsite.FileURL(filepath.Join(folder, name)).String() }
	one, two, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	c := (*baseline.Baseline)(nil).Compare(func(*check.Result) bool { return true }, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	for _, u := range []string{url(one, "docs/no ne.md") + "#a", url(elsewhere, "x"), "./malformed"} {
		c.Add(&check.Result{URL: u, Verdict: check.Broken})
	}
	b, err := c.Updated()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(filepath.Join(one, "b")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(one, "b"))
	if err != nil || !strings.Contains(string(text), `"url":"./docs/no%20ne.md#a"`) {
		t.Fatalf("%s, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(two, "b"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err = baseline.ReadFile(filepath.Join(two, "b"), false); err != nil {
		t.Fatal(err)
	}
	for u, want := range map[string]bool{url(two, "docs/no ne.md") + "#a": true, url(one, "docs/no ne.md") + "#a": false, url(elsewhere, "x"): true, "./malformed": true, url(two, "malformed"): false} {
		if got := b.Knows(&check.Result{URL: u, Verdict: check.Broken}); got != want {
			t.Errorf("%s: %v", u, got)
		}
	}
}
