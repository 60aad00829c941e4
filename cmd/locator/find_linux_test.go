package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

// No byte of a file or of its name reaches the terminal unescaped.
//
// Covers: F5
func TestFindOnATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a\x1b[2Jb\n")
	text := "x\x1b]0;title\x07 <URL:x:a\x1b[31mb\x9b\u202e\xff> http://host.dom/b\u00fccher\u202e\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"find", name}, {"find", dir}, {"find", "--iri", "--with-context", dir}, {"find", "--json", "--with-context", dir}, {"find", "--linkify", dir}, {"find", "-v", dir, name + "not"},
	} {
		shown, _ := onTerminal(t, nil, args...)
		if strings.ContainsAny(shown, "\x1b\x07\u202e\u009b") || !utf8.ValidString(shown) || !strings.Contains(shown, "host.dom") {
			t.Errorf("%q shows %q", args, shown)
		}
	}
}

// A reader of standard output that stops reading ends a search at once and without a message, also
// one of a folder.
//
// Covers: F5, P4
func TestFindClosedOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), bytes.Repeat([]byte("http://host.dom/some/path\n"), 1<<12), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"find", dir}, {"find", "--json", dir}, {"find", "--linkify", filepath.Join(dir, "1"), filepath.Join(dir, "2")}} {
		cmd := exec.CommandContext(t.Context(), "locator", args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			_, err = io.ReadFull(out, make([]byte, 10))
		}
		if err != nil {
			t.Fatal(err)
		}
		out.Close()
		exit, _ := errors.AsType[*exec.ExitError](cmd.Wait())
		if exit == nil || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || errs.Len() > 0 {
			t.Errorf("%v: ended with %v and said %q", args, exit, errs.String())
		}
	}
}
