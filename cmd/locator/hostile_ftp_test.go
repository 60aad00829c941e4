package main

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"locator/internal/faults"
	"locator/scheme/ftp/ftptest"
)

// dialogueFaults are faults of the ftp control connection.
func dialogueFaults() []fault {
	return []fault{
		{"ftp: SIZE and 150 announce less, or more, than is sent", sizeLies},
		{"ftp: the connection ends instead of a 226", noEnd},
		{"ftp: 421 to any command of a download, and of a resumed one", goneAtAnyCommand},
		{"ftp: 421 or 426 instead of 226", endWith421},
		{"ftp: a reply line of 1 MB to any command", longLines},
		{"ftp: an endless greeting", endlessBanner},
		{"ftp: a bare CR in the reply to PWD", carriageReturn},
		{"ftp: PASV names a third host", thirdHost},
	}
}

// Covers: R9
func sizeLies(t *testing.T) {
	x := ftpSite(t)
	number := regexp.MustCompile(`\(\d+ bytes\)`)
	for _, lie := range []int{len(x.content) / 2, 2 * len(x.content)} {
		lying := func(command, reply string) (string, bool) {
			switch {
			case strings.HasPrefix(reply, "213 ") && strings.HasPrefix(command, "SIZE"):
				return fmt.Sprintf("213 %d\r\n", lie), false
			case strings.HasPrefix(reply, "150 "):
				return number.ReplaceAllString(reply, fmt.Sprintf("(%d bytes)", lie)), false
			}
			return reply, false
		}
		s := x.scene(t)
		x.proxy.Set(faults.Fault{Reply: lying})
		errs := s.fails("a lie", 8, aPart)
		if !strings.Contains(errs, fmt.Sprint(lie)) {
			t.Errorf("it says %q", errs)
		}
		s.heals("a lie")

		// The wrong size is that of the rest.
		s = x.scene(t)
		x.proxy.Set(faults.Fault{How: faults.Cut, After: int64(len(x.content)) / 4})
		s.fails("a cut", 8, aPart)
		x.proxy.Set(faults.Fault{Reply: lying})
		s.fails("a cut and a lie", 8, aPart, "--continue")
		s.heals("a cut and a lie")
	}
}

// Covers: R10
func noEnd(t *testing.T) {
	x := ftpSite(t)
	s := x.scene(t)
	x.proxy.Set(faults.Fault{Reply: func(_, reply string) (string, bool) {
		if strings.HasPrefix(reply, "226") {
			return "", true
		}
		return reply, false
	}})
	s.fails("no 226", 8, aPart)
	if part, err := os.Stat(s.file + ".part"); err != nil || part.Size() != int64(len(x.content)) {
		t.Errorf("the part is %v, %v", part, err)
	}
	s.heals("no 226")
}

// commands returns the ftp commands of a download and of its resumption, in order.
func commands(t *testing.T, x *site) (transfer, rest []string) {
	t.Helper()
	s := x.scene(t)
	before := len(x.ftp.Lines())
	x.proxy.Set(faults.Fault{How: faults.Cut, After: 100_000})
	s.fails("a cut", 8, aPart)
	transfer = x.ftp.Lines()[before:]
	before = len(x.ftp.Lines())
	s.heals("a cut")
	rest = x.ftp.Lines()[before:]
	quit := func(line string) bool { return line == "QUIT" } // which comes when it comes
	transfer, rest = slices.DeleteFunc(transfer, quit), slices.DeleteFunc(rest, quit)
	if len(transfer) < 5 || len(rest) < len(transfer) {
		t.Fatalf("the dialogues are %q, %q", transfer, rest)
	}
	return transfer, rest
}

// atCommand answers the n-th command of a dialogue.
func atCommand(n int, answer string, hangUp bool) func(line string) (string, bool, bool) {
	var seen atomic.Int64
	return func(line string) (string, bool, bool) {
		if line == "QUIT" || int(seen.Add(1)) != n+1 {
			return "", false, false
		}
		return answer, hangUp, true
	}
}

// Covers: R11
func goneAtAnyCommand(t *testing.T) {
	atAnyCommand(t, "421 Going down\r\n", true, 12)
}

// longLines floods the client after any command. FEAT, SIZE and MDTM are optional, but the
// connection is unusable after a flood.
// Covers: R13
func longLines(t *testing.T) {
	atAnyCommand(t, "200 "+strings.Repeat("x", 1<<20)+"\r\n", false, 8)
}

func atAnyCommand(t *testing.T, answer string, hangUp bool, status int) {
	x := ftpSite(t)
	transfer, rest := commands(t, x)
	for n, line := range transfer {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{Command: atCommand(n, answer, hangUp)})
		s.fails("at "+line, status, noPart)
		s.heals("at " + line)
	}
	whole := false // what comes then only asks for a digest
	for n, line := range rest {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{How: faults.Cut, After: 100_000})
		s.fails("a cut", 8, aPart)
		before, _ := os.ReadFile(s.file + ".part")
		x.proxy.Set(faults.Fault{Command: atCommand(n, answer, hangUp)})
		if whole {
			s.works("continued, at "+line, "--continue")
			continue
		}
		whole = strings.HasPrefix(line, "RETR ")
		s.fails("continued, at "+line, status, aPart, "--continue")
		if after, _ := os.ReadFile(s.file + ".part"); string(after) != string(before) {
			t.Errorf("at %s: the part had %d bytes and has %d", line, len(before), len(after))
		}
		s.heals("continued, at " + line)
	}
}

// Covers: R12
func endWith421(t *testing.T) {
	x := ftpSite(t)
	for _, end := range []string{"421 Going down\r\n", "426 Broken\r\n", "451 Read error\r\n", "550 No more\r\n"} {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{Reply: func(_, reply string) (string, bool) {
			if strings.HasPrefix(reply, "226") {
				return end, strings.HasPrefix(end, "421")
			}
			return reply, false
		}})
		s.fails(end, 8, aPart)
		s.heals(end)
	}
}

// Covers: R14
func endlessBanner(t *testing.T) {
	x := ftpSite(t)
	for _, banner := range []string{strings.Repeat("220-welcome\r\n", 100_000), "220-" + strings.Repeat("x", 2<<20), strings.Repeat("120 soon\r\n", 100)} {
		s := x.scene(t)
		x.proxy.Set(faults.Fault{Reply: func(command, reply string) (string, bool) {
			if command == "" {
				return banner, false
			}
			return reply, false
		}})
		status := 8
		if strings.HasPrefix(banner, "120") {
			status = 12
		}
		s.fails("a banner", status, noPart)
		s.heals("a banner")
	}
}

// carriageReturn downloads files of three folders over one connection, so that the client sends
// PWD.
// Covers: R15
func carriageReturn(t *testing.T) {
	x := ftpSite(t)
	var asked atomic.Int64
	x.proxy.Set(faults.Fault{Reply: func(command, reply string) (string, bool) {
		if command == "PWD" {
			asked.Add(1)
			return "257 \"/home\rDELE file.bin\" is where you are\r\n", false
		}
		return reply, false
	}})
	dir := t.TempDir()
	base := strings.TrimSuffix(x.url, "file.bin")
	_, errs, status := runText(t, "", "get", "--parallel", "1", "--dir", dir, base+"a/one.txt", base+"b/two.txt", base+"c/three.txt")
	for name, want := range map[string]string{"one.txt": "one\n", "two.txt": "two\n", "three.txt": "three\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if status != 0 || asked.Load() == 0 {
		t.Errorf("status %d, asked %d times: %s", status, asked.Load(), errs)
	}
	for _, line := range x.ftp.Lines() {
		if strings.Contains(line, "\r") || strings.Contains(line, "DELE") {
			t.Errorf("sent %q", line)
		}
	}
}

// Covers: R16
func thirdHost(t *testing.T) {
	x := ftpSite(t, ftptest.ForeignPASV(netip.MustParseAddr("127.0.0.2")))
	x.url = "ftp://" + x.ftp.Addr() + "/file.bin" // without the proxy, which would mend it
	x.scene(t).works("a third host")              // where nobody listens
}
