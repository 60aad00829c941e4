package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// The list of processes does not show passwords and keys of the command line, and the program still
// uses them.
//
// Covers: P3, T76
func TestProcessTitle(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute))
	for _, args := range [][]string{
		{"get", "--tls", "off", "ftp://joe:Qsecret1@HOST/x"},
		{"get", "--tls=off", "--user=joe:Qsecret1", "--header", "X-Api-Key: Qsecret2", "ftp://HOST/http://v:Qsecret3@h/x", "ftp://a:Qsecret4@h/"},
		{"get", "--tls", "off", "--user", "joe:Qsecret1", "--header=Password: Qsecret2", "ftp://HOST/?x=http%3A%2F%2Fv%3AQsecret3%40h"},
	} {
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "HOST", l.Addr().String())
		}
		cmd := exec.CommandContext(t.Context(), "locator", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		fmt.Fprint(c, "220 hello\r\n")
		user, _ := in.ReadString('\n')
		fmt.Fprint(c, "331 password\r\n")
		pass, _ := in.ReadString('\n')
		title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
		c.Close()
		cmd.Process.Kill()
		cmd.Wait()
		if err != nil || user != "USER joe\r\n" || pass != "PASS Qsecret1\r\n" {
			t.Errorf("%q: %q, %q, %v", args, user, pass, err)
		}
		shown := strings.Split(strings.TrimSuffix(string(title), "\x00"), "\x00")
		if strings.Contains(string(title), "Qsecret") || len(shown) != len(args)+1 || !slices.Contains(shown, "get") || !strings.Contains(string(title), "********") {
			t.Errorf("%q is shown as %q", args, shown)
		}
		if !strings.Contains(string(title), l.Addr().String()) {
			t.Errorf("%q hides the host: %q", args, shown)
		}
	}
}

// A second interrupt ends what the first one cannot, here a write to a pipe that nobody reads.
//
// Covers: T191
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	s, err := httptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := exec.LookPath("locator")
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: exe, Args: []string{"locator", "get", "-o", fifo, s.URL("text.txt").Text()}}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for end := time.Now().Add(busyMachine); ; time.Sleep(20 * time.Millisecond) {
		if len(s.Lines()) > 0 { // it is under way, and minds signals
			cmd.Process.Signal(os.Interrupt)
		}
		select {
		case <-done:
			return
		default:
		}
		if time.Now().After(end) {
			cmd.Process.Kill()
			t.Fatalf("it is not to be interrupted: %v", <-done)
		}
	}
}
