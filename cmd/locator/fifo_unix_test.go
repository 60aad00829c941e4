//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme"
)

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
