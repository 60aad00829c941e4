package main

import (
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"locator/internal/peers"
)

// A person logs in to telnetd, types, resizes the window, asks whether the server is there, and
// leaves.
//
// Covers: S13, A10, P3
func TestPeersSession(t *testing.T) {
	t.Parallel()
	addr := peers.Start(t, "telnetd").Addr(t, "telnetd")
	login := func(p *pty) {
		p.expect("login: ")
		p.until("raw mode", p.isRaw)
		p.typed("alice\r")
		p.expect("alice\r\nPassword: ")
		p.typed("geheim\r")
		p.expect("Hello alice\r\n$ ")
		p.typed("size\r")
		p.expect("size\r\n24 80\r\n")
	}
	t.Run("quit", func(t *testing.T) {
		p := startPTY(t, inUTF8(), "locator", "telnet://alice:s3cret-pw@"+addr)
		p.expect("the URL suggests the user name alice\r\n")
		login(p)
		p.resize(132, 43)
		p.until("new size", func() bool { // telnetd sets it when it gets it, and tells nobody
			p.typed("size\r")
			p.expect("size\r\n")
			p.expect("\r\n")
			return strings.Contains(p.shown(), "43 132\r\n")
		})
		p.typed("cafe\x7f\u4e2d\r") // it erases bytes, so one of ASCII
		p.expect("you said: caf\u4e2d\r\n")
		p.typed("\x1dayt\r")
		p.expect("[Yes]\r\n")
		p.typed("\x1dquit\r")
		p.expect("the session has ended\r\n")
		if status := p.wait(); status != 0 {
			t.Errorf("status %d", status)
		}
	})
	for name, tt := range map[string]struct {
		end    func(p *pty)
		status int
	}{
		"exit":    {func(p *pty) { p.typed("exit\r"); p.expect("Bye\r\n") }, 0},
		"SIGTERM": {func(p *pty) { p.cmd.Process.Signal(syscall.SIGTERM) }, 130},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPTY(t, inUTF8(), "locator", "telnet://"+addr)
			login(p)
			tt.end(p)
			if status := p.wait(); status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
		})
	}
	t.Run("script", func(t *testing.T) {
		var output, trace strings.Builder
		cmd := exec.CommandContext(t.Context(), "locator", "get", "--trace", "telnet://"+addr)
		cmd.Stdout, cmd.Stderr = &output, &trace
		in, err := cmd.StdinPipe() // which stays open: the end of the input would end the session with a server that is slow
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			_, err = io.WriteString(in, "alice\ngeheim\nhello\nexit\n")
		}
		if err == nil {
			err = cmd.Wait()
		}
		if err != nil {
			t.Error(err)
		}
		out, errs := output.String(), trace.String()
		for _, line := range []string{"WILL TERMINAL-TYPE", "SB TERMINAL-TYPE IS DUMB", "SB NEW-ENVIRON IS", "WONT LINEMODE", "DONT AUTHENTICATION"} {
			if !slices.Contains(sentLines(errs), line) {
				t.Errorf("the trace lacks %q: %q", line, sentLines(errs))
			}
		}
		if !strings.Contains(out, "you said: hello") || !strings.Contains(out, "Bye") {
			t.Errorf("%q", out)
		}
	})
}
