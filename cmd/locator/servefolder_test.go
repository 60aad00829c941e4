package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Covers: A13
func TestServeFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(string) string { return "" }
	for _, s := range folderServices() {
		t.Run(s.verb, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			r, w := io.Pipe()
			done := make(chan int)
			go func() {
				done <- run(ctx, []string{"serve", s.verb, "-v", "--addr", "127.0.0.1:0", dir}, world{In: strings.NewReader(""), Out: w, Err: io.Discard, Getenv: getenv})
				w.Close()
			}()
			line := make([]byte, 200)
			n, err := r.Read(line)
			if err != nil {
				t.Fatal(err)
			}
			url := strings.TrimSpace(string(line[:n]))
			if s.verb == "wais" { // a document has the URL that a search finds
				url += "/TEXT/%03%090%205%20a.txt"
			} else {
				url += "/a.txt"
			}
			var out, messages bytes.Buffer
			if status := run(t.Context(), []string{"get", url}, world{In: strings.NewReader(""), Out: &out, Err: &messages, Getenv: getenv}); status != 0 || out.String() != "text\n" {
				t.Errorf("get %s: %d, %q, %s", url, status, out.String(), messages.String())
			}
			if s.verb == "prospero" { // it names the product
				out.Reset()
				if status := run(t.Context(), []string{"attr", "--details", url}, world{In: strings.NewReader(""), Out: &out, Err: io.Discard, Getenv: getenv}); status != 0 || !strings.Contains(out.String(), "5 Locator-") {
					t.Errorf("attr --details: %d, %s", status, out.String())
				}
			}
			cancel()
			if status := <-done; status != 130 && status != 0 {
				t.Errorf("it ended with %d", status)
			}
			var help bytes.Buffer // the former name stays, and is not offered
			former, none := "serve-"+s.verb, filepath.Join(dir, "none")
			if status := run(t.Context(), []string{former, none}, world{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: getenv}); status != 11 {
				t.Errorf("%s: %d", former, status)
			}
			if run(t.Context(), []string{"help"}, world{In: strings.NewReader(""), Out: &help, Err: io.Discard, Getenv: getenv}); help.Len() == 0 || strings.Contains(help.String(), former) {
				t.Errorf("the help has %s: %s", former, help.String())
			}
			for _, args := range [][]string{{"--addr", "x"}, {filepath.Join(dir, "none")}, {filepath.Join(dir, "a.txt")}, {"--addr", "203.0.113.1:1"}, {"--addr", "127.0.0.1:99999"}, {"--addr", "127.0.0.1:x"}} {
				var text bytes.Buffer
				if status := run(t.Context(), append([]string{"serve", s.verb}, args...), world{In: strings.NewReader(""), Out: io.Discard, Err: &text, Getenv: getenv}); status != 2 && status != 11 || strings.Contains(text.String(), "listen tcp") || strings.Contains(text.String(), "listen udp") || args[0] == "--addr" && strings.Count(text.String(), "--addr") != 1 {
					t.Errorf("%q: %d, %s", args, status, text.String())
				}
			}
		})
	}
}

func TestUnread(t *testing.T) {
	t.Parallel()
	if got := unread(fmt.Errorf("x: %w", &fs.PathError{Op: "openat", Path: "sub/a.txt", Err: fs.ErrPermission})); got != "sub/a.txt: permission denied" {
		t.Error(got)
	}
}
