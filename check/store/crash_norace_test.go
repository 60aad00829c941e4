//go:build !race && !386 && !arm && !mips && !mipsle

package store_test

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
)

// startChild starts this binary as a process that works on the last run.
func startChild(t *testing.T, variable, value string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+value)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// killAfter kills a process when it has printed n lines. It reports whether the process ended
// before, without an error.
func killAfter(t *testing.T, cmd *exec.Cmd, lines *bufio.Scanner, n int) (ended bool) {
	t.Helper()
	for i := 0; i < n && lines.Scan(); i++ {
	}
	_ = cmd.Process.Kill()
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	err := cmd.Wait()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("the process failed: %v, %s", err, last)
	}
	return err == nil
}

// decided fails the test if a URL of the child's run does not have exactly one result.
func decided(t *testing.T, s check.Store) {
	t.Helper()
	r, err := s.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Open != 0 || info.Decided() != childLinks || info.Verdicts[check.OK] != childLinks || info.Ended.IsZero() {
		t.Errorf("the run is %+v, want %d URLs", info, childLinks)
	}
	seen := make(map[string]bool)
	for res, err := range r.Results(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[res.URL] || len(res.Sources) != 1 {
			t.Fatalf("%s: twice, or with sources %v", res.URL, res.Sources)
		}
		seen[res.URL] = true
	}
	for _, l := range storetest.Links(childLinks, childHosts) {
		if !seen[l.URL] {
			t.Errorf("%s has no result", l.URL)
		}
	}
}

// TestKill kills the process that works on a run while it adds URLs, and while it checks them. The
// next one goes on at once.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, store.Options{Folder: dir, Name: "child"})
	if _, err := s.Begin(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for n := 7; ; n += 9 {
		start := time.Now()
		cmd, lines := startChild(t, childFolder, dir)
		ended := killAfter(t, cmd, lines, n)
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("the process needed %v for %d commits", d, n)
		}
		if ended {
			break
		}
		kills++
	}
	if kills < 5 {
		t.Errorf("the process was killed %d times only", kills)
	}
	s = open(t, store.Options{Folder: dir, Name: "child"})
	defer s.Close()
	decided(t, s)
}
