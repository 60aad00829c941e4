package main

import (
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
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

// checkSize requires a line in performance.md if the program has grown by more than 1 MB.
func checkSize(t *testing.T, file string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	page, err := os.ReadFile("../../docs/internals/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^Stripped, for Linux on amd64: (\d+\.\d) MB\.`).FindSubmatch(page)
	info, err := os.Stat(file)
	if m == nil || err != nil {
		t.Fatalf("no size in performance.md, or no program: %v", err)
	}
	if want, err := strconv.ParseFloat(string(m[1]), 64); err != nil || float64(info.Size()) > (want+1)*1e6 {
		t.Errorf("the program has %d bytes, performance.md says %s MB: write there what has grown", info.Size(), m[1])
	}
}
