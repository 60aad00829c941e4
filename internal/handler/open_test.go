package handler

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Covers: GW68
func TestAsk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, answer, page, err string }{
		{"a gateway", `{"gateway":"locator","open":"/-/go?url="}`, "/-/go?url=ftp%3A%2F%2Fh%2F%23+a", ""},
		{"another program", `{"gateway":"x","open":"/"}`, "", "is not a gateway"},
		{"a page", "<html>", "", "is not a gateway"},
		{"another place", `{"gateway":"locator","open":"@evil.example/"}`, "", "is not a gateway"},
		{"endless", strings.Repeat(" ", 1<<20), "", "is not a gateway"},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/-/handler" || r.Header.Get("Accept") != "application/json" {
				t.Errorf("%s: it asked for %s", tt.name, r.URL)
			}
			io.WriteString(w, tt.answer)
		}))
		addr := srv.Listener.Addr().String()
		page, err := Ask(t.Context(), addr, "ftp://h/# a")
		srv.Close()
		if tt.err == "" && (err != nil || page != "http://"+addr+tt.page) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: %q, %v", tt.name, page, err)
		}
	}
	if _, err := Ask(t.Context(), "127.0.0.1:1", "ftp://h/"); !errors.Is(err, ErrNoGateway) {
		t.Errorf("nothing listens: %v", err)
	}
}

func TestBrowsers(t *testing.T) {
	t.Parallel()
	xdg := []string{"xdg-open", "A"}
	for _, tt := range []struct {
		variable, system string
		want             [][]string
	}{
		{"", "linux", [][]string{xdg}},
		{"firefox", "linux", [][]string{{"firefox", "A"}, xdg}},
		{"lynx -x %s -y" + string(os.PathListSeparator) + " " + string(os.PathListSeparator) + "w3m", "linux", [][]string{{"lynx", "-x", "A", "-y"}, {"w3m", "A"}, xdg}},
		{"", "darwin", [][]string{{"open", "A"}}},
		{"", "windows", [][]string{{"rundll32", "url.dll,FileProtocolHandler", "A"}}},
	} {
		got := browsers(tt.variable, tt.system, "A")
		if len(got) < len(tt.want) || !reflect.DeepEqual(got[:len(tt.want)], tt.want) {
			t.Errorf("%q on %s: %q", tt.variable, tt.system, got)
		}
	}
}

// script writes a program.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrowse(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv("PATH", "/bin:/usr/bin")
	fails, works := script(t, "exit 3"), script(t, `printf %s "$1" >`+out)
	env := func(string) string { return fails + string(os.PathListSeparator) + works }
	if err := Browse(t.Context(), env, "http://h/;touch x"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, out); got != "http://h/;touch x" {
		t.Errorf("the browser got %q", got)
	}
	t.Setenv("PATH", "")
	if err := Browse(t.Context(), func(string) string { return fails }, "http://h/"); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("no browser: %v", err)
	}
}

func TestStartGateway(t *testing.T) {
	t.Parallel()
	if err := StartGateway(t.Context(), script(t, `test "$*" = "serve --addr 127.0.0.1:9" && echo http://127.0.0.1:9/`), "127.0.0.1:9"); err != nil {
		t.Error(err)
	}
	if err := StartGateway(t.Context(), script(t, "exit 1"), "127.0.0.1:9"); err == nil || !strings.Contains(err.Error(), "ended at once") {
		t.Errorf("a program that fails: %v", err)
	}
	if err := StartGateway(t.Context(), "/no/such/program", "127.0.0.1:9"); err == nil {
		t.Error("no program: no error")
	}
}
