package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMeaninglessFlags refuses flags that mean nothing for the scheme of a URL, before anything is sent.
func TestMeaninglessFlags(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	box := t.TempDir()
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"--query", []string{"get", "--query", "x", "nntp://127.0.0.1:1/a.b/1"}},
		{"--query", []string{"list", "--query", "x", "ftp://127.0.0.1:1/"}},
		{"--threads", []string{"list", "--threads", "ftp://127.0.0.1:1/"}},
		{"--newest", []string{"list", "--newest", "gopher://127.0.0.1:1/"}},
		{"--output", []string{"put", "-o", file + ".reply", file, "mailto:ann@example.org"}},
		{"--type", []string{"put", "--type", "text/plain", file, "mailto:ann@example.org"}},
		{"--create-dirs", []string{"put", "--create-dirs", file, "nntp://127.0.0.1:1/a.b"}},
	} {
		args := tt.args
		if args[0] == "put" {
			args = append([]string{"--outbox", box}, args...)
		}
		url := args[len(args)-1]
		if out, errs, status := runText(t, "", args...); status != 2 || !strings.Contains(errs, url+": "+tt.want+" means nothing here") {
			t.Errorf("%q: %d, %q, %s", args, status, out, errs)
		}
	}
}

// TestMessagesOfMistakes checks that messages begin with what is wrong, not with a call of the system.
func TestMessagesOfMistakes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status int
		want   string
		args   []string
	}{
		{11, "-o " + file + "/x: " + file + " is a file, not a folder", []string{"get", "-o", file + "/x", "http://127.0.0.1:1/"}},
		{4, "port 1 is refused", []string{"--outbox", t.TempDir(), "put", "--smtp", "smtp://127.0.0.1:1", "--from", "a@example.org", "--subject", "x", file, "mailto:ann@example.org"}},
		{4, "port 25 is refused", []string{"--news-server", "127.0.0.1:25", "get", "news:comp.lang.c"}},
	} {
		if out, errs, status := runText(t, "", tt.args...); status != tt.status || !strings.Contains(errs, tt.want) || strings.Contains(errs, "dial tcp") || strings.Contains(errs, "open ") {
			t.Errorf("%q: %d, %q, %s", tt.args, status, out, errs)
		}
	}
}
