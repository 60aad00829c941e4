package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/check"
	"locator/client"
	"locator/internal/localsite"
	"locator/scheme/all"
)

// A worker may be on another machine than the files of a run, so that it cannot say that one of
// them is missing.
func TestWorkerFiles(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: all.Registry()})
	defer c.Close()
	a := newApp(world{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	checker, err := a.checkerOf(check.RunInfo{Settings: []byte("{}")}, c)
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{there, there + "none"} {
		u := new(localsite.Map).URL(name)
		if r := checker.Check(t.Context(), check.Task{URL: u.Text()}); r.Verdict != check.Skipped || r.Note == "" {
			t.Errorf("%s: %+v", u, r)
		}
	}
}
