//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// A reader of standard output that stops reading ends the program by SIGPIPE, without a message, as
// it ends other programs. A shell shows that as the status 141.
//
// Covers: P4, T192
func TestClosedStandardOutput(t *testing.T) {
	t.Parallel()
	content := octetsOf(16<<20, "big")
	files := []peer.File{{Path: []string{"big.bin"}, Content: string(content), Modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)}}
	f, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	g, err := gophertest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	h, err := httptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	local := filepath.Join(t.TempDir(), "big.bin")
	if err := os.WriteFile(local, content, 0o666); err != nil {
		t.Fatal(err)
	}
	for scheme, u := range map[string]string{
		"ftp": f.URL("big.bin").Text(), "gopher": g.URL("big.bin").Text(), "http": h.URL("big.bin").Text(), "file": "file://" + local,
	} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, "locator", "get", u)
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			head := make([]byte, 10)
			if _, err := io.ReadFull(out, head); err != nil || !bytes.Equal(head, content[:10]) {
				t.Errorf("read %q, %v", head, err)
			}
			out.Close()
			err = cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("the program ended with %v", err)
			}
			if s, ok := exit.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != syscall.SIGPIPE || errs.Len() > 0 {
				t.Errorf("the program ended with %v and said %q", exit, errs.String())
			}
		})
	}
}

// TestSignals ends a download by each signal that a terminal or the system sends. The final name
// keeps the old file, the part is the beginning of the new one, and --continue completes it.
//
// Covers: P4, T191
func TestSignals(t *testing.T) {
	t.Parallel()
	files, want := bigFiles(1)
	content := want["file-00.bin"]
	s, err := ftptest.Start(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, sig) // else nohup makes the program ignore SIGHUP, too
			defer signal.Stop(caught)
			file := filepath.Join(t.TempDir(), "file")
			os.WriteFile(file, []byte("old"), 0o666)
			cmd := exec.CommandContext(t.Context(), "locator", "get", "--limit-rate", "20k", "-o", file, s.URL("file-00.bin").Text())
			cmd.Stderr = io.Discard
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for wait := 0; wait < 6000; wait++ {
				if in, err := os.Stat(file + ".part"); err == nil && in.Size() > 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			begin := time.Now()
			cmd.Process.Signal(sig)
			if err := cmd.Wait(); err == nil {
				t.Error("the program ended as if nothing had happened")
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if got, err := os.ReadFile(file); string(got) != "old" {
				t.Errorf("the file has %d bytes, %v", len(got), err)
			}
			if part, err := os.ReadFile(file + ".part"); err != nil || !bytes.HasPrefix(content, part) {
				t.Errorf("the part of %d bytes is not the beginning, %v", len(part), err)
			}
			args := []string{"get", "-o", file, s.URL("file-00.bin").Text()}
			if sig != syscall.SIGHUP { // which ends the program at once: no state says that "old" may be replaced
				args = append(args, "--continue")
			}
			if _, errs, status := runText(t, "", args...); status != 0 {
				t.Errorf("status %d: %s", status, errs)
			}
			if got, _ := os.ReadFile(file); !bytes.Equal(got, content) {
				t.Errorf("in the end the file has %d bytes", len(got))
			}
		})
	}
}

// A pipe whose other end is not opened or not read blocks the program only until an interrupt.
//
// Covers: P4, T155
func TestInterruptedAtPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, bytes.Repeat([]byte("x"), 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		read bool // somebody has opened the pipe to read, and does not
		args func(pipe string) []string
	}{
		{"get -o, nobody there", false, func(pipe string) []string { return []string{"get", "-o", pipe, "file://" + big} }},
		{"get -o, nobody reads", true, func(pipe string) []string { return []string{"get", "-o", pipe, "file://" + big} }},
		{"put -i", false, func(pipe string) []string { return []string{"put", "-i", pipe, "file://" + dir + "/new"} }},
		{"get --field-file", false, func(pipe string) []string { return []string{"get", "--field-file", "f=" + pipe, "file://" + big} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := unix.Mkfifo(pipe, 0o666); err != nil {
				t.Fatal(err)
			}
			defer func() { // an open of the pipe is left running, and ends when the other end is open
				h, err := os.OpenFile(pipe, os.O_RDWR|unix.O_NONBLOCK, 0)
				if err != nil {
					t.Error(err)
				}
				h.Close()
			}()
			if test.read {
				h, err := os.OpenFile(pipe, os.O_RDONLY|unix.O_NONBLOCK, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer h.Close()
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, cancel)
			var out, errs bytes.Buffer
			ended := make(chan int, 1)
			go func() {
				ended <- run(ctx, test.args(pipe), world{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
			}()
			select {
			case status := <-ended:
				if status != scheme.CodeInterrupted.Exit() {
					t.Errorf("status %d, %s", status, errs.String())
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the program does not end")
			}
		})
	}
}
