package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}, world{In: strings.NewReader(""), Out: w, Err: io.Discard, Getenv: none})
		w.Close()
	}()
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		<-done
	}()
	base := strings.TrimSuffix(strings.TrimSpace(string(line[:n])), "/")
	addr := strings.TrimPrefix(base, "http://")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	page := base + "/-/go?url=gopher%3A%2F%2Fh.dom%2F1%2Fa%2523b"
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		out    string
		err    string
	}{
		{"a page", []string{"--addr", addr, "--print", "<URL:gopher://h.dom/1/a%23b>"}, 0, page + "\n", ""},
		{"malformed", []string{"--addr", addr, "--print", "gopher:x"}, 3, "", "gopher"},
		{"the gateway itself", []string{"--addr", addr, base + "/"}, 4, "", "the gateway itself"},
		{"another program", []string{"--addr", other.Listener.Addr().String(), "ftp://h.dom/"}, 11, "", "is not a gateway"},
		{"two URLs", []string{"ftp://h.dom/", "ftp://h.dom/"}, 2, "", ""},
	} {
		var out, messages bytes.Buffer
		status := run(t.Context(), append([]string{"open"}, tt.args...), world{In: strings.NewReader(""), Out: &out, Err: &messages, Getenv: none})
		if status != tt.status || out.String() != tt.out || !strings.Contains(messages.String(), tt.err) {
			t.Errorf("%s: %d, %q, %s", tt.name, status, out.String(), messages.String())
		}
	}
	if runtime.GOOS == "windows" {
		return // it has no scripts of that kind
	}
	got := filepath.Join(t.TempDir(), "got")
	browser := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\nprintf %s \"$1\" >"+got), 0o700); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		if name == "BROWSER" {
			return browser
		}
		return ""
	}
	status := run(t.Context(), []string{"open", "--addr", addr, "gopher://h.dom/1/a%23b"}, world{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: env})
	if b, err := os.ReadFile(got); status != 0 || err != nil || string(b) != page {
		t.Errorf("%d, %q, %v", status, b, err)
	}
}
