//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"locator/scheme/ftp/ftptest"
)

// TestWritersOfOneFile runs four downloads of one file, and two mirrors into one folder, at the
// same time. Each file is whole at the end.
//
// Covers: P4, T196
func TestWritersOfOneFile(t *testing.T) {
	t.Parallel()
	files, want := bigFiles(6)
	s, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := filepath.Join(t.TempDir(), "in")
	url := s.URL("file-00.bin").Text()
	one := []string{"get", "--quiet", "--limit-rate", "2M", "--dir", dir, "-O", "--force", url}
	all := []string{"get", "--quiet", "--recursive", "--force", "--limit-rate", "20M", "--dir", dir, s.URL("").Text()}
	for _, runs := range [][][]string{{one, one, one, one}, {all, all}, {all, one, all, one}} {
		var wg sync.WaitGroup
		for _, args := range runs {
			wg.Go(func() {
				cmd := exec.CommandContext(t.Context(), "locator", args...)
				if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 11 { // another download writes to the part
					t.Errorf("%q: %v", args, err)
				}
			})
		}
		wg.Wait()
		if n := wantOnlyWhole(t, dir, want); n == 0 {
			t.Error("no file is there")
		}
	}
	if _, errs, status := runText(t, "", append(all, "--continue")...); status != 0 {
		t.Errorf("status %d: %s", status, errs)
	}
	if n := wantOnlyWhole(t, dir, want); n != len(want) {
		t.Errorf("%d files of %d are whole", n, len(want))
	}
}
