package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// kills is how often a test kills the program.
func kills() int {
	if os.Getenv("LOCATOR_LONG") != "" {
		return 300
	}
	return 8
}

// runAndKill starts the program and kills it after a time. It reports whether it had to.
func runAndKill(t *testing.T, after time.Duration, args ...string) (killed bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "locator", args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, errs.Bytes())
		}
		return false
	case <-time.After(after):
		cmd.Process.Kill() // SIGKILL, where there is such a thing
		<-ended
		return true
	}
}

// If the program is killed at any moment of a batch, all files with a final name are complete, and
// a run with --continue downloads the rest.
//
// Covers: P4, T190
func TestKilledGet(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 9))
	var files []peer.File
	want := make(map[string][]byte)
	for i := range 24 {
		size := 1 + r.IntN(20_000)
		if i%4 == 0 {
			size = 1<<20 + r.IntN(2<<20)
		}
		name := fmt.Sprintf("file-%02d.bin", i)
		want[name] = octetsOf(size, name)
		files = append(files, peer.File{Path: []string{name}, Content: string(want[name]), Modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)})
	}
	f, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, err := httptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	dir := filepath.Join(t.TempDir(), "in")
	args := []string{"get", "--continue", "--quiet", "--dir", dir, "--per-host", "3", "--limit-rate", "12M"}
	for i, file := range files {
		if i%2 == 0 {
			args = append(args, f.URL(file.Path...).Text())
		} else {
			args = append(args, h.URL(file.Path...).Text())
		}
	}
	killed, n := 0, kills()
	for range n {
		if runAndKill(t, time.Duration(r.IntN(900))*time.Millisecond, args...) {
			killed++
		}
		whole := wantOnlyWhole(t, dir, want)
		if whole == len(want) { // all is there: from the beginning
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	if killed < n/3 {
		t.Errorf("only %d of %d runs were killed", killed, n)
	}
	if runAndKill(t, time.Minute, args...) {
		t.Fatal("the last run does not end")
	}
	if whole := wantOnlyWhole(t, dir, want); whole != len(want) {
		t.Errorf("%d files of %d are there", whole, len(want))
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != len(want)+1 { // and the index
		t.Errorf("%d files are left, want %d, %v", len(list)-1, len(want), err)
	}
}

// wantOnlyWhole checks that all files except parts are complete, and counts them. Nobody else may
// read a part.
func wantOnlyWhole(t *testing.T, dir string, want map[string][]byte) (whole int) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range list {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".state"), ".part")
		content, known := want[name]
		if in, err := e.Info(); err == nil && name != e.Name() && runtime.GOOS != "windows" && in.Mode().Perm()&0o077 != 0 && !bytes.Equal(got, content) {
			t.Errorf("%s has %v", e.Name(), in.Mode())
		}
		switch {
		case name == ".locator":
		case !known:
			t.Errorf("there is a file %q", e.Name())
		case name == e.Name():
			if whole++; !bytes.Equal(got, content) {
				t.Errorf("%s has %d bytes, want %d, or they differ", name, len(got), len(content))
			}
		}
	}
	return whole
}

// If the program is killed while it puts to a file, the file has the old or the new content,
// complete.
//
// Covers: A12, T190
func TestKilledPut(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 10))
	dir := t.TempDir()
	old, fresh := octetsOf(8<<20, "old"), octetsOf(24<<20, "new")
	input, target := filepath.Join(dir, "input"), filepath.Join(dir, "out", "target")
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(input, fresh, 0o666); err != nil {
		t.Fatal(err)
	}
	url := "file://" + filepath.ToSlash(target)
	if !strings.HasPrefix(url, "file:///") {
		url = "file:///" + filepath.ToSlash(target)
	}
	url = strings.ReplaceAll(url, "~", "%7E")
	killed, n := 0, kills()
	for range n {
		if err := os.WriteFile(target, old, 0o666); err != nil {
			t.Fatal(err)
		}
		if runAndKill(t, time.Duration(r.IntN(60))*time.Millisecond, "put", "--quiet", "-i", input, url) {
			killed++
		}
		got, err := os.ReadFile(target)
		if err != nil || !bytes.Equal(got, old) && !bytes.Equal(got, fresh) {
			t.Errorf("the target has %d bytes, neither the old %d nor the new %d, %v", len(got), len(old), len(fresh), err)
		}
	}
	if killed < n/3 {
		t.Errorf("only %d of %d runs were killed", killed, n)
	}
	if runAndKill(t, time.Minute, "put", "--quiet", "-i", input, url) {
		t.Fatal("the last run does not end")
	}
	if got, err := os.ReadFile(target); err != nil || !bytes.Equal(got, fresh) {
		t.Errorf("in the end the target has %d bytes, %v", len(got), err)
	}
}

// bigFiles are files of a megabyte that differ everywhere.
func bigFiles(n int) (files []peer.File, want map[string][]byte) {
	want = make(map[string][]byte)
	for i := range n {
		name := fmt.Sprintf("file-%02d.bin", i)
		want[name] = octetsOf(1<<20, name)
		files = append(files, peer.File{Path: []string{name}, Content: string(want[name]), Modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)})
	}
	return files, want
}

// TestKilledMirror kills a mirror again and again. Every file with a final name is whole each time,
// and one run more has them all.
//
// Covers: P4, T190
func TestKilledMirror(t *testing.T) {
	t.Parallel()
	files, want := bigFiles(12)
	s, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := rand.New(rand.NewPCG(1738, 11))
	dir := filepath.Join(t.TempDir(), "in")
	args := []string{"get", "--recursive", "--continue", "--quiet", "--dir", dir, "--limit-rate", "12M", s.URL("").Text()}
	killed := 0
	for range kills() {
		if runAndKill(t, time.Duration(r.IntN(700))*time.Millisecond, args...) {
			killed++
		}
		if wantOnlyWhole(t, dir, want) == len(want) {
			os.RemoveAll(dir)
		}
	}
	if killed == 0 {
		t.Error("no run was killed")
	}
	if runAndKill(t, time.Minute, args...) {
		t.Fatal("the last run does not end")
	}
	if whole := wantOnlyWhole(t, dir, want); whole != len(want) {
		t.Errorf("%d files of %d are there", whole, len(want))
	}
}
