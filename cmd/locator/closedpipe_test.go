//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// A reader of standard output that stops reading ends the program by SIGPIPE, without a message, as it ends other programs. A shell
// shows that as the status 141.
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
