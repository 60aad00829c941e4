package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/http/httptest"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// onTerminal runs the program on a new terminal and returns its status and what the terminal shows. It types each answer when
// the question is shown and the echo is off.
func onTerminal(t *testing.T, answers [][2]string, args ...string) (shown string, status int) {
	t.Helper()
	return atTerminal(t, answers, func(string) bool { return true }, args...)
}

// atTerminal is onTerminal with the echo off only for the questions that secret selects.
func atTerminal(t *testing.T, answers [][2]string, secret func(question string) bool, args ...string) (shown string, status int) {
	t.Helper()
	ptm, pts := openPTY(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: exe, Args: append([]string{"locator"}, args...), Stdin: pts, Stdout: pts, Stderr: pts,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	err = cmd.Start()
	pts.Close()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var screen bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 1024)
		for {
			n, err := ptm.Read(b)
			mu.Lock()
			screen.Write(b[:n])
			mu.Unlock()
			if err != nil { // EIO: nobody has the terminal open any more
				return
			}
		}
	}()
	sees := func() string {
		mu.Lock()
		defer mu.Unlock()
		return screen.String()
	}
	late := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	hides := func() bool { // what is typed
		state, err := unix.IoctlGetTermios(int(ptm.Fd()), unix.TCGETS)
		return err == nil && state.Lflag&unix.ECHO == 0
	}
	begin := 0
	for _, a := range answers {
		for i := -1; i < 0 || hides() != secret(a[0]); i = strings.Index(sees()[begin:], a[0]) {
			select {
			case <-read:
				t.Fatalf("it ended before %q: %q", a[0], sees())
			case <-time.After(5 * time.Millisecond):
			}
		}
		begin += strings.Index(sees()[begin:], a[0]) + len(a[0])
		if _, err := ptm.WriteString(a[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	<-read
	if !late.Stop() {
		t.Errorf("it hangs: %q", sees())
	}
	return sees(), cmd.ProcessState.ExitCode()
}

// A user may mistype a password, or give up.
//
// Covers: A1, P3
func TestPrompt(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	addr := fmt.Sprintf("127.0.0.1:%d", s.Port())
	u, asks := "ftp://alice@"+addr+"/etc/motd", "Password required): "
	const interrupt = "\x03"
	for name, tt := range map[string]struct {
		answers [][2]string
		args    []string
		status  int
		shows   string
	}{
		"right":    {[][2]string{{asks, ftptest.Password + "\r"}}, []string{"get", u}, 0, "RFC 1738"},
		"mistyped": {[][2]string{{asks, "wr0ng\r"}, {"Login refused. Password for alice at ", ""}, {asks, ftptest.Password + "\r"}}, []string{"get", u}, 0, "RFC 1738"},
		"mistyped --user": {[][2]string{{"Password for alice at 127.0.0.1: ", "wr0ng\r"}, {"Login refused. Password for alice at ", ""}, {asks, ftptest.Password + "\r"}},
			[]string{"get", "--user", "alice", "ftp://" + addr + "/etc/motd"}, 0, "RFC 1738"},
		"interrupted":           {[][2]string{{asks, interrupt}}, []string{"get", u}, 130, "interrupted"},
		"begun and interrupted": {[][2]string{{asks, "s3cr"}, {"", interrupt}}, []string{"get", u}, 130, "interrupted"},
		"--user": {[][2]string{{"Password for alice at 127.0.0.1: ", ftptest.Password + "\r"}},
			[]string{"get", "--user", "alice", "ftp://" + addr + "/etc/motd", "ftp://" + addr + "/text.txt"}, 0, "line three"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown, status := onTerminal(t, tt.answers, tt.args...)
			if status != tt.status || !strings.Contains(shown, tt.shows) || strings.Contains(shown, "refused") != strings.HasPrefix(name, "mistyped") {
				t.Errorf("status %d, %q", status, shown)
			}
			for _, secret := range []string{ftptest.Password, "wr0ng", "s3cr"} {
				if strings.Contains(shown, secret) {
					t.Errorf("%s stands in %q", secret, shown)
				}
			}
		})
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
	exe, err := os.Executable()
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

// The password for one server is not sent to another.
//
// Covers: P3
func TestPromptOfEachServer(t *testing.T) {
	t.Parallel()
	var urls []string
	for range 2 {
		s, err := ftptest.Start(peer.Tree())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		urls = append(urls, fmt.Sprintf("ftp://127.0.0.1:%d/etc/motd", s.Port()))
	}
	const asks = "Password for alice at 127.0.0.1: "
	shown, status := onTerminal(t, [][2]string{{asks, ftptest.Password + "\r"}, {asks, ftptest.Password + "\r"}},
		append([]string{"get", "--user", "alice"}, urls...)...)
	if status != 0 || strings.Count(shown, asks) != 2 {
		t.Errorf("status %d, %q", status, shown)
	}
}

// A verb that waits for its input on a terminal says so, before it connects to anything.
//
// Covers: A15
func TestTypedInput(t *testing.T) {
	t.Parallel()
	s, err := httptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	const end = "end with Ctrl-D\r\n"
	for name, tt := range map[string]struct {
		answer string
		args   []string
		shows  string
	}{
		"get":   {s.URL("text.txt").Text() + "\n\x04", []string{"get"}, "reading URLs, one per line, from the terminal; "},
		"parse": {"http://h/\n\x04", []string{"parse"}, "reading URLs, one per line, from the terminal; "},
		"put":   {"some text\n\x04", []string{"put", s.URL("new").Text()}, "reading the data to send from the terminal; "},
	} {
		t.Run(name, func(t *testing.T) {
			shown, status := atTerminal(t, [][2]string{{end, tt.answer}}, func(string) bool { return false }, tt.args...)
			if status != 0 || !strings.HasPrefix(shown, "locator: "+tt.shows) {
				t.Errorf("status %d, %q", status, shown)
			}
		})
	}
	if shown, _ := atTerminal(t, nil, nil, "put", "--dry-run", s.URL("new").Text()); strings.Contains(shown, "terminal") {
		t.Errorf("a dry run waits for nothing: %q", shown)
	}
}

// rm shows the article that a number names, and asks before it cancels it. Only "y" and "yes" do.
//
// Covers: A9, T138
func TestConfirmCancel(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]int{"y": 0, "YES": 0, "n": 2, "": 2, "yesterday": 2} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			s, err := nntptest.Start(nil, nntptest.Article("local.talk", article("mine@b.example", "", "=?utf-8?q?caf=C3=A9=1B[2J?=", "x\r\n")))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			asks := `Cancel <mine@b.example> of 1994-12-01 12:00, "café\x1b[2J"? (y or n) [n]: `
			shown, got := atTerminal(t, [][2]string{{asks, answer + "\r"}}, func(string) bool { return false }, "rm", "--mail", "alice@example.com", s.GroupURL("local.talk", 1).Text())
			if got != status || len(s.Messages()) != 1-status/2 {
				t.Errorf("status %d, posted %q: %q", got, s.Messages(), shown)
			}
			if status == 2 && !strings.Contains(shown, "nothing was removed") {
				t.Errorf("%q", shown)
			}
		})
	}
}
