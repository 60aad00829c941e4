package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pty is a terminal with a program on it, for tests that type and look at the screen.
type pty struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	before unix.Termios // before the program was started

	mu     sync.Mutex
	screen bytes.Buffer
	seen   int           // what expect has found
	closed chan struct{} // when the program and its children have left the terminal
}

// openPTY opens a new terminal: the side of the test, and that of the program. The first is closed
// at the end of the test.
func openPTY(t *testing.T) (ptm, pts *os.File) {
	t.Helper()
	ptm, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ptm.Close() })
	n, err := unix.IoctlGetInt(int(ptm.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ptm.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if pts, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return ptm, pts
}

// startPTY starts a program on a new terminal of 80 by 24 characters. name is that of a command of
// TestMain, or of a program.
func startPTY(t *testing.T, env []string, name string, args ...string) *pty {
	t.Helper()
	ptm, pts := openPTY(t)
	defer pts.Close()
	p := &pty{t: t, master: ptm, closed: make(chan struct{})}
	p.resize(80, 24)
	p.before = p.attributes()
	path := name
	if !strings.Contains(name, "/") {
		var err error
		if path, err = exec.LookPath(name); err != nil {
			t.Fatal(err)
		}
	}
	p.cmd = &exec.Cmd{Path: path, Args: append([]string{name}, args...), Stdin: pts, Stdout: pts, Stderr: pts, Env: append(os.Environ(), env...),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	go p.read()
	return p
}

func (p *pty) read() {
	defer close(p.closed)
	b := make([]byte, 4<<10)
	for {
		n, err := p.master.Read(b)
		p.mu.Lock()
		p.screen.Write(b[:n])
		p.mu.Unlock()
		if err != nil { // EIO: nobody has the terminal open any more
			return
		}
	}
}

func (p *pty) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// busyMachine is how long to wait for a program on a busy machine.
const busyMachine = time.Minute

// until waits until ok returns true.
func (p *pty) until(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(busyMachine); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("there is no %s; the screen is %q", what, p.shown())
		}
	}
}

// expect waits until the terminal shows a text, behind what the last expect has found.
func (p *pty) expect(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q", text), func() bool {
		i := strings.Index(p.shown()[p.seen:], text)
		if i >= 0 {
			p.seen += i + len(text)
		}
		return i >= 0
	})
}

func (p *pty) typed(text string) {
	p.t.Helper()
	if _, err := p.master.WriteString(text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pty) resize(width, height uint16) {
	p.t.Helper()
	if err := unix.IoctlSetWinsize(int(p.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pty) attributes() unix.Termios {
	p.t.Helper()
	state, err := unix.IoctlGetTermios(int(p.master.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return *state
}

// isRaw reports whether the terminal is in raw mode.
func (p *pty) isRaw() bool { return p.attributes().Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) == 0 }

// wait waits until the program has ended, returns its exit status, and checks that the terminal is
// as it was.
func (p *pty) wait() int {
	p.t.Helper()
	done := make(chan struct{})
	go func() {
		p.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(busyMachine):
		p.t.Fatalf("it has not ended; the screen is %q", p.shown())
	}
	if after := p.attributes(); after != p.before {
		p.t.Errorf("the terminal was %+v, and is %+v", p.before, after)
	}
	<-p.closed
	return p.cmd.ProcessState.ExitCode()
}

// onTerminal runs the program on a new terminal and returns its status and what the terminal shows.
// It types each answer when the question is shown and the echo is off.
func onTerminal(t *testing.T, answers [][2]string, args ...string) (shown string, status int) {
	t.Helper()
	return atTerminal(t, answers, func(string) bool { return true }, args...)
}

// atTerminal is onTerminal with the echo off only for the questions that secret selects.
func atTerminal(t *testing.T, answers [][2]string, secret func(question string) bool, args ...string) (shown string, status int) {
	t.Helper()
	ptm, pts := openPTY(t)
	exe, err := exec.LookPath("locator")
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
