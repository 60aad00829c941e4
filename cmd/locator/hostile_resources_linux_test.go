package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
	"locator/scheme/ftp/ftptest"
)

// TestScarceResources downloads where the system gives too little: file descriptors, the size of a
// file, inodes, a standard output that is full or closed. The program says so and fails, or it
// works. The file never has a part of the content.
//
// Covers: P4, P6, T193, T194, T195
func TestScarceResources(t *testing.T) {
	t.Parallel()
	files, want := bigFiles(1)
	content := want["file-00.bin"]
	s, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	url := s.URL("file-00.bin").Text()
	// shell runs the program in a shell that first does setup, and returns its exit status and
	// messages.
	shell := func(t *testing.T, setup string, args ...string) (status int, errs string) {
		t.Helper()
		script := setup + `exec locator "$@"`
		if redirect, ok := strings.CutPrefix(setup, ">"); ok {
			script = `exec locator "$@" >` + redirect
		}
		cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", script, "sh", "get", "--retries", "0"}, args...)...)
		var b bytes.Buffer
		cmd.Stderr = &b
		cmd.Run()
		return cmd.ProcessState.ExitCode(), b.String()
	}
	intoFile := func(t *testing.T, file, setup string, status ...int) {
		t.Helper()
		got, errs := shell(t, setup, "-o", file, url)
		b, err := os.ReadFile(file)
		if whole := err == nil && bytes.Equal(b, content); whole != (got == 0) || err == nil && !whole {
			t.Errorf("%s: status %d, %d bytes, %v: %s", setup, got, len(b), err, errs)
		}
		if len(status) > 0 && (got != status[0] || !strings.HasPrefix(errs, "locator: ")) {
			t.Errorf("%s: status %d, want %d: %s", setup, got, status[0], errs)
		}
	}
	t.Run("descriptors", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		for n := 3; n <= 16; n++ {
			intoFile(t, filepath.Join(dir, fmt.Sprint(n)), fmt.Sprintf("ulimit -n %d; ", n))
		}
		intoFile(t, filepath.Join(dir, "enough"), "ulimit -n 64; ", 0)
	})
	t.Run("size of a file", func(t *testing.T) {
		t.Parallel()
		intoFile(t, filepath.Join(t.TempDir(), "file"), "ulimit -f 100; ", 11)
	})
	t.Run("inodes", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() != 0 {
			peers.Skip(t, "no inodes: only root may mount a small file system")
		}
		dir := t.TempDir()
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "nr_inodes=2"); err != nil {
			peers.Skip(t, "no inodes: mount: %v", err)
		}
		t.Cleanup(func() {
			if err := unix.Unmount(dir, 0); err != nil {
				t.Error(err)
			}
		})
		if err := os.WriteFile(filepath.Join(dir, "last"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		intoFile(t, filepath.Join(dir, "file"), "", 11)
	})
	t.Run("standard output", func(t *testing.T) {
		t.Parallel()
		for _, args := range [][]string{{url}, {s.URL("").Text()}, {"--json", s.URL("").Text()}} {
			if status, errs := shell(t, ">/dev/full", args...); status != 11 || errs == "" {
				t.Errorf("%q: status %d: %s", args, status, errs)
			}
		}
		// What a closed descriptor would have got goes nowhere, and not into the file that has its
		// number.
		for i, closed := range []string{"exec >&-; ", "exec 2>&-; ", "exec <&- >&- 2>&-; "} {
			intoFile(t, filepath.Join(t.TempDir(), fmt.Sprint(i)), closed)
		}
	})
}

// smallDisk mounts a file system with room for a third of the file. grow makes room for all of it,
// and shrink undoes that.
func smallDisk(t *testing.T) (dir string, grow func() (shrink func())) {
	t.Helper()
	if os.Geteuid() != 0 {
		peers.Skip(t, "a full disk: only root may mount a small file system")
	}
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprint("size=", fileSize/3)); err != nil {
		peers.Skip(t, "a full disk: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	resize := func(n int) {
		t.Helper()
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT, fmt.Sprint("size=", n)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func() func() {
		resize(4 * fileSize)
		return func() { resize(fileSize / 3) }
	}
}
