package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"locator/scheme/telnet/telnettest"
	"locator/schemetest/peer"
)

// startTelnet starts a telnet server that asks for the size of the window and for the terminal
// type.
func startTelnet(t *testing.T, opts ...telnettest.Option) *telnettest.Server {
	t.Helper()
	s, err := telnettest.Start(append([]telnettest.Option{telnettest.Ask(253, 31), telnettest.Ask(253, 24)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// inUTF8 is the environment of a terminal in UTF-8.
func inUTF8(more ...string) []string {
	return append([]string{"LC_ALL=C.UTF-8", "TERM=xterm-256color"}, more...)
}

// A person logs in, types, resizes the window, uses the menu, and finds the terminal as it was.
//
// Covers: S13, A10, P3
func TestSession(t *testing.T) {
	t.Parallel()
	s := startTelnet(t, telnettest.Character(), telnettest.Login())
	p := startPTY(t, inUTF8(), "locator", s.LoginURL("alice", "s3cret-pw").Text())
	p.expect("the URL suggests the user name alice\r\n")
	p.expect("the URL suggests the password s3cret-pw\r\n")
	p.expect("the escape character is ^]\r\n")
	p.expect("login: ")
	p.until("raw mode", p.isRaw)
	p.typed("alice\r")
	p.expect("alice\r\nPassword: ") // the echo is that of the server
	p.typed("geheim\r")
	p.expect("Hello\r\n")
	p.typed("size\r")
	p.expect("your window is 80 24\r\n")
	p.typed("type\rtype\r")
	p.expect("your terminal is XTERM-256COLOR\r\n")
	p.expect("your terminal is XTERM\r\n")
	p.resize(132, 43)
	p.until("new size", func() bool { return slices.Contains(s.Events(), "SB NAWS 132 43") })
	p.typed("caf\u00e9\x03\r")
	p.expect("you said: caf\u00e9\x03\r\n"[:len("you said: caf\u00e9")])
	p.typed("\x1dhelp\r")
	p.expect("\r\nlocator> help\r\nquit ")
	for _, signal := range []string{"ayt", "ip", "brk", "ao"} {
		p.expect("\n" + signal + " ")
	}
	p.expect("An empty line returns to the session.\r\n")
	p.expect("locator> ") // the menu stays open
	p.typed("status\r")
	p.expect("the server echoes; input is sent in characters; ")
	p.typed("\x1dayt\r")
	p.expect("[yes]\r\n")
	p.typed("\x1dsend brk\r\x1dse ip\r\x1dsend escape\rx\r\x1dsend nothing\r")
	p.expect("usage: send")
	p.typed("squeeze\r")
	p.expect(`unknown command "squeeze"`)
	p.typed("s\r")
	p.expect("short for several")
	p.typed("\r\x1d\x03\x1d\rstill here\r")
	p.expect("you said: still here\r\n")
	p.typed("\x1dquit\r")
	p.expect("the session has ended\r\n")
	if status := p.wait(); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{"WILL NAWS", "SB NAWS 80 24", "WILL TERMINAL-TYPE", "DO ECHO", "AYT", "BRK", "IP"} {
		if !slices.Contains(s.Events(), want) {
			t.Errorf("the client did not send %s: %q", want, s.Events())
		}
	}
	if want := []string{"alice", "geheim", "size", "type", "type", "caf\u00e9\x03", "\x1dx", "still here"}; !slices.Equal(s.Lines(), want) {
		t.Errorf("the server got %q", s.Lines())
	}
	if strings.Contains(string(s.Received()), "s3cret-pw") || strings.Contains(p.shown(), "geheim") {
		t.Error("a password was sent or shown")
	}
}

// A server that does not echo gets whole lines, which are edited and echoed here, but for a
// password.
//
// Covers: A10
func TestSessionLines(t *testing.T) {
	t.Parallel()
	s := startTelnet(t)
	p := startPTY(t, inUTF8(), "locator", s.URL().Text())
	p.expect(telnettest.Welcome)
	p.until("raw mode", p.isRaw)
	p.typed("one two\x17\u4e2d\u00e9\x7f\x7f\x15A word\x17li\x08ine\t!\r")
	p.expect("you said: A line\t!\r\n")
	p.typed("secret\r")
	p.expect("Password: ")
	p.until("mode for the password", func() bool { return slices.Contains(s.Events(), "DO ECHO") })
	p.typed("geheim\r")
	p.expect("\r\n")
	p.typed("un\x03\x1dstatus\r")
	p.expect("this program echoes; input is sent in lines; ")
	p.until("interrupt", func() bool { return slices.Contains(s.Events(), "IP") })
	p.typed("exit\r")
	p.expect("Bye\r\n")
	p.expect("the session has ended")
	if status := p.wait(); status != 0 || strings.Count(p.shown(), "geheim") != 1 { // by the server
		t.Errorf("status %d, %q", status, p.shown())
	}
	if want := []string{"A line\t!", "secret", "geheim", "exit"}; !slices.Equal(s.Lines(), want) {
		t.Errorf("the server got %q", s.Lines())
	}
}

// A run with two sessions leaves the keyboard to the second, and ends at --max-time.
//
// Covers: A10
func TestSessionsInARow(t *testing.T) {
	t.Parallel()
	first, second := startTelnet(t), startTelnet(t)
	p := startPTY(t, inUTF8(), "locator", "--max-time", "2", first.URL().Text(), second.URL().Text())
	p.expect(telnettest.Welcome)
	p.typed("\x1dquit\r")
	p.expect("the session has ended")
	p.expect(telnettest.Welcome)
	p.typed("hello\r")
	p.expect("you said: hello")
	if status := p.wait(); status != 8 || !strings.Contains(p.shown(), "get "+second.URL().Text()+": stopped after --max-time 2s") {
		t.Errorf("status %d, %q", status, p.shown())
	}
}

// However a session ends, the terminal is as it was before.
//
// Covers: A10, T27, T29
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do     func(p *pty, s *telnettest.Server)
		status int
		shows  string
	}{
		"the server ends it":      {func(p *pty, _ *telnettest.Server) { p.typed("exit\r") }, 0, "the session has ended"},
		"the connection is reset": {func(p *pty, _ *telnettest.Server) { p.typed("reset\r") }, 8, "the connection was lost"},
		"SIGTERM":                 {func(p *pty, _ *telnettest.Server) { p.cmd.Process.Signal(syscall.SIGTERM) }, 130, "interrupted"},
		"SIGINT":                  {func(p *pty, _ *telnettest.Server) { p.cmd.Process.Signal(syscall.SIGINT) }, 130, "interrupted"},
		"SIGHUP":                  {func(p *pty, _ *telnettest.Server) { p.cmd.Process.Signal(syscall.SIGHUP) }, 130, ""},
		"SIGQUIT":                 {func(p *pty, _ *telnettest.Server) { p.cmd.Process.Signal(syscall.SIGQUIT) }, 130, ""},
		"SIGTERM in the menu": {func(p *pty, _ *telnettest.Server) {
			p.typed("\x1dhel")
			p.expect("locator> hel")
			p.cmd.Process.Signal(syscall.SIGTERM)
		}, 130, "interrupted"},
		"the server ends it in the menu": {func(p *pty, s *telnettest.Server) {
			p.typed("\x1dhel")
			p.expect("locator> hel")
			s.Drop()
		}, 0, "the session has ended"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startTelnet(t, telnettest.Greeting("\x1b[?1049h\x1b[?25l\x1b[31mready\r\n"))
			p := startPTY(t, inUTF8(), "locator", s.URL().Text())
			p.expect("ready\r\n")
			p.until("raw mode", p.isRaw)
			tt.do(p, s)
			p.expect("\x1b[?1049l\x1b[?25h\x1b[m")
			if status := p.wait(); status != tt.status || !strings.Contains(p.shown(), tt.shows) {
				t.Errorf("status %d, want %d; %q", status, tt.status, p.shown())
			}
		})
	}
}

// A panic restores the terminal, too.
//
// Covers: A10, T29
func TestSessionPanic(t *testing.T) {
	t.Parallel()
	p := startPTY(t, inUTF8(), "broken")
	p.expect("ready\r\n")
	p.expect("\x1b[?25h")
	p.expect("panic: a mistake in the program")
	if status := p.wait(); status != 2 {
		t.Errorf("status %d", status)
	}
}

// A program that was stopped and resumed by others, with a terminal that the shell has changed,
// uses raw mode again.
//
// Covers: A10
func TestSessionResumed(t *testing.T) {
	t.Parallel()
	s := startTelnet(t)
	p := startPTY(t, inUTF8(), "locator", s.URL().Text())
	p.expect(telnettest.Welcome)
	p.until("raw mode", p.isRaw)
	p.cmd.Process.Signal(syscall.SIGSTOP)
	if err := unix.IoctlSetTermios(int(p.master.Fd()), unix.TCSETS, &p.before); err != nil {
		t.Fatal(err)
	}
	p.cmd.Process.Signal(syscall.SIGCONT)
	p.until("raw mode", p.isRaw)
	p.typed("exit\r")
	p.wait()
}

// The menu suspends the program, with the terminal as it was; the shell resumes it.
//
// Covers: A10, T29
func TestSessionSuspend(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	s := startTelnet(t, telnettest.Character())
	exe, err := exec.LookPath("locator")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("(exec -a locator %s %s)\necho \"suspended: $(stty -a | tr ';' '\\n' | grep -c ' icanon')\"; fg >/dev/null; echo over $?", exe, s.URL().Text())
	p := startPTY(t, inUTF8(), bash, "-mc", script)
	p.expect(telnettest.Welcome)
	p.until("raw mode", p.isRaw)
	p.typed("\x1dsuspend\r")
	p.expect("suspended: 1\r\n")
	p.until("raw mode", p.isRaw)
	p.resize(90, 30)
	p.until("new size", func() bool { return slices.Contains(s.Events(), "SB NAWS 90 30") })
	p.typed("hello\r")
	p.expect("you said: hello\r\n")
	p.typed("exit\r")
	p.expect("over 0\r\n")
	p.wait()
}

// What the server sends reaches the terminal through the filter, however it is split, unless --raw
// is given. A terminal that is not in UTF-8 gets ASCII.
//
// Covers: A10, P6, T24, T25
func TestSessionFilter(t *testing.T) {
	t.Parallel()
	const attack = "a\x1b]52;c;ZXZpbA==\x07b\x1b]0;title\x1b\\c\x1bP$qm\x1b\\d\x05\x1b[c\x1b[6n\x1b[21te\u009b5nf caf\u00e9 \x9b0c \x1b[1mbold\r\n"
	for name, tt := range map[string]struct {
		env  []string
		args []string
		drip bool
		want string
	}{
		"filtered": {inUTF8(), nil, false, "abcdef caf\u00e9 \ufffd0c \x1b[1mbold\r\n"},
		"split":    {inUTF8(), nil, true, "abcdef caf\u00e9 \ufffd0c \x1b[1mbold\r\n"},
		"latin":    {[]string{"LC_ALL=de_DE.ISO-8859-1"}, nil, false, "abcdef caf? ?0c \x1b[1mbold\r\n"},
		"raw":      {inUTF8(), []string{"--raw"}, false, attack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startTelnet(t, telnettest.Greeting(attack))
			if tt.drip {
				s.Misbehave(peer.Drip)
			}
			p := startPTY(t, tt.env, "locator", append([]string{"get", s.URL().Text()}, tt.args...)...)
			p.expect("^]\r\n")
			p.expect(tt.want)
			p.typed("exit\r")
			if status := p.wait(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// A code page: the terminal gets UTF-8, the server what the user types in its code page, and the
// name of the terminal is that of such boards.
//
// Covers: A10
func TestSessionCharset(t *testing.T) {
	t.Parallel()
	s := startTelnet(t, telnettest.Greeting("\xc9\xcd\xbb \x80\r\n"), telnettest.Character())
	p := startPTY(t, inUTF8(), "locator", "--charset", "CP437", "--escape", "^A", s.URL().Text())
	p.expect("the escape character is ^A\r\n")
	p.expect("\u2554\u2550\u2557 \u00c7\r\n")
	p.until("raw mode", p.isRaw)
	p.typed("type\r")
	p.expect("your terminal is ANSI\r\n")
	p.typed("\u00fc\u4e2d\x1d\r")
	p.expect("you said: \u00fc?")
	p.typed("\x01quit\r")
	p.wait()
	if want := []string{"type", "\x81?\x1d"}; !slices.Equal(s.Lines(), want) {
		t.Errorf("the server got %q", s.Lines())
	}
}

// Advice that is not ASCII is escaped for a terminal that is not in UTF-8, where a byte of it could
// be a control function.
//
// Covers: A10, P6
func TestSessionAdvice(t *testing.T) {
	t.Parallel()
	s := startTelnet(t)
	for env, want := range map[string]string{"LC_ALL=C.UTF-8": "\u00dbna", "LC_ALL=de_DE.ISO-8859-1": `\xc3\x9bna`} {
		p := startPTY(t, []string{env}, "locator", s.LoginURL("\u00dbna", "pw").Text())
		p.expect("the URL suggests the user name " + want + "\r\n")
		p.expect(telnettest.Welcome)
		p.typed("exit\r")
		p.wait()
	}
}
