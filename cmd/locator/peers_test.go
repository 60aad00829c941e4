package main

import (
	"encoding/json"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"locator/internal/peers"
)

// The steps that explain prints for the three forms of RFC 1738 3.2.2 are those in the trace of get
// and in the log of a real server.
//
// Covers: A1, A2
func TestPeersPathShapes(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "proftpd")
	host, port, err := net.SplitHostPort(e.Addr(t, "proftpd"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, file string
		want       []string // after the login
	}{
		{"/%2Fetc/hostname", "/etc/hostname", []string{"CWD /etc", "TYPE I", "RETR hostname"}},
		{"/etc/motd", e.Tree + "/etc/motd", []string{"CWD etc", "TYPE I", "RETR motd"}},
		{"//etc/motd", e.Tree + "/etc/motd", []string{"CWD ", "CWD etc", "TYPE I", "RETR motd"}},
	} {
		u := "ftp://" + e.User + ":" + e.Password + "@" + host + ":" + port + tt.path
		want := append([]string{"USER " + e.User, "PASS ****"}, tt.want...)

		out, errs, status := runText(t, "", "explain", "--json", u)
		var explained parsed
		if err := json.Unmarshal([]byte(out), &explained); err != nil || status != 0 {
			t.Fatalf("%s: status %d, %v, %s", tt.path, status, err, errs)
		}
		if steps := append([]string{"CONNECT " + host + ":" + port}, want...); !slices.Equal(explained.Steps, steps) {
			t.Errorf("%s: explain tells %q, want %q", tt.path, explained.Steps, steps)
		}

		content, err := os.ReadFile(tt.file)
		if err != nil {
			t.Fatal(err)
		}
		out, errs, status = runText(t, "", "get", "--trace", "--tls", "off", u)
		if status != 0 || out != string(content) || strings.Contains(errs, e.Password) {
			t.Errorf("%s: status %d, %q, want %q; %s", tt.path, status, out, content, errs)
		}
		if sent := sentLines(errs); !slices.Equal(sent, want) {
			t.Errorf("%s: the trace shows %q, want %q", tt.path, sent, want)
		}

		// The log has one line per command, with the process id of the connection.
		logged := append([]string{"USER " + e.User, "PASS (hidden)"}, tt.want...)
		for i, line := range logged {
			logged[i] = strings.TrimRight(line, " ")
		}
		e.WaitLog(t, "proftpd", tt.want[len(tt.want)-1]+" -> 226")
		if log := e.Log(t, "proftpd"); !slices.ContainsFunc(sessions(log), func(s []string) bool { return slices.Equal(s, logged) }) {
			t.Errorf("%s: no session of the log is %q:\n%s", tt.path, logged, log)
		}
	}
}

// A pattern selects the same files on real ftp servers, and the URLs that list prints of a real
// Gopher+ server lead to the same octets as those with the Gopher+ string.
//
// Covers: A6, A15
func TestPeersList(t *testing.T) {
	t.Parallel()
	names := []string{"vsftpd", "proftpd", "pyftpdlib"}
	e := peers.Start(t, append(names, "pygopherd")...)
	for _, name := range names {
		base := "ftp://" + e.Addr(t, name) + "/"
		out, errs, status := runText(t, "", "list", base+"*ex*.tx?")
		if status != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "/text.txt  text.txt\n") {
			t.Errorf("%s: status %d, %s%s", name, status, out, errs)
		}
	}
	out, _, _ := runText(t, "", "list", "--json", "gopher://"+e.Addr(t, "pygopherd")+"/")
	plus := 0
	for line := range strings.Lines(out) {
		var entry struct{ URL, Plain, Kind string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Kind != "object" || entry.URL == entry.Plain {
			continue
		}
		plus++
		content, _, status := runText(t, "", "get", entry.URL)
		plain, _, plainStatus := runText(t, "", "get", entry.Plain)
		if status != 0 || plainStatus != 0 || content != plain {
			t.Errorf("%s: status %d and %d, %d and %d bytes", entry.Plain, status, plainStatus, len(content), len(plain))
		}
	}
	if plus < 3 {
		t.Errorf("only %d items with a Gopher+ string", plus)
	}
}

// sentLines returns the commands of a trace, without those for data connections and QUIT, which are
// not steps.
func sentLines(trace string) (sent []string) {
	for line := range strings.Lines(trace) {
		if command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> "); ok && command != "EPSV" && command != "QUIT" {
			sent = append(sent, command)
		}
	}
	return sent
}

// sessions returns the commands of each connection in the log of proftpd, whose lines are "PID USER
// COMMAND -> CODE".
func sessions(log string) [][]string {
	byProcess := make(map[string][]string)
	for line := range strings.Lines(log) {
		process, rest, _ := strings.Cut(line, " ")
		_, rest, _ = strings.Cut(rest, " ")
		command, _, ok := strings.Cut(rest, "->")
		if command = strings.TrimRight(command, " "); ok && command != "EPSV" && command != "QUIT" {
			byProcess[process] = append(byProcess[process], command)
		}
	}
	var all [][]string
	for _, commands := range byProcess {
		all = append(all, commands)
	}
	return all
}
