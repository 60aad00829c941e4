//go:build unix

package format_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"locator/find/format"
)

// leaveGroup makes a command the first of a group of its own.
func leaveGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// The end of the context ends the programs that the command has started. One that has left its
// group goes on, and the caller does not wait for it, though it has the command's output or
// messages open.
//
// Covers: F5
func TestPDFHelper(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for mode, ends := range map[string]bool{"start": true, "apart": false, "apart, with messages": false} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			defer time.AfterFunc(20*time.Second, func() { l.Close() }).Stop()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			helper := make(chan net.Conn, 1)
			go func() {
				defer close(helper)
				if conn, err := l.Accept(); err == nil {
					cancel()
					time.AfterFunc(10*time.Second, func() { conn.Close() }) // a Read that waits for the helper ends
					helper <- conn
				}
			}()
			start, last := time.Now(), error(nil)
			command := []string{"env", "FORMAT_TEST_PDF=" + mode, "FORMAT_TEST_SERVER=" + l.Addr().String(), self}
			for _, err := range format.Lookup("pdf").Read(ctx, strings.NewReader("%PDF-1.4"), format.Options{PDF: command}) {
				last = err
			}
			if took := time.Since(start); !errors.Is(last, context.Canceled) || took > 8*time.Second {
				t.Errorf("it ends with %v after %v", last, took)
			}
			conn := <-helper
			if conn == nil {
				t.Fatal("the helper did not start")
			}
			defer conn.Close()
			limit := 5 * time.Second
			if !ends {
				limit = 20 * time.Millisecond
			}
			conn.SetReadDeadline(time.Now().Add(limit))
			if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) == ends {
				t.Errorf("the helper after the end: %v, want an end: %v", err, ends)
			}
		})
	}
}
