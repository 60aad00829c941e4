package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestLicensesOfProgram checks that the program has the licence of each module that is linked into
// it.
func TestLicensesOfProgram(t *testing.T) {
	t.Parallel()
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) == 0 {
		t.Fatal("the test has no build information")
	}
	onlyTests := map[string]bool{"github.com/rogpeppe/go-internal": true, "go.uber.org/goleak": true, "golang.org/x/tools": true}
	for _, m := range info.Deps {
		if !onlyTests[m.Path] && !strings.Contains(licenses, "\n"+m.Path+" "+m.Version+" "+m.Sum+"\n") {
			t.Errorf("no licence of %s %s %s", m.Path, m.Version, m.Sum)
		}
	}
}
