package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest/peer"
)

// Forms and searches prompt at the terminal. Secret answers are neither echoed nor traced.
//
// Covers: S9, A7, P3
func TestAskedForm(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	upload := filepath.Join(t.TempDir(), "upload")
	if err := os.WriteFile(upload, []byte("the file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := gophertest.Start(peer.Tree(),
		gophertest.Ask("form", gophertest.Form{Ask: []string{
			"Note: All about you", "Ask: Name:\tnobody", "AskP: Password:", "AskL: Text:", "Choose: Colour\tred\tgreen", "Select: News:1", "Odd: Thing",
		}, Handle: func(data string) string {
			return "GOT " + strings.ReplaceAll(strings.ReplaceAll(data, secret, "(secret)"), "\r\n", "|") + "\r\n"
		}}),
		gophertest.Ask("upload", gophertest.Form{Ask: []string{"ChooseF: File"}, Handle: func(data string) string {
			return "GOT " + strings.TrimSpace(data) + "\r\n"
		}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	form := s.Item('0', "/form", "?").Text()
	password := [2]string{"Password: ", secret + "\r"}
	for name, tt := range map[string]struct {
		answers [][2]string
		args    []string
		status  int
		shows   string
	}{
		"answered": {[][2]string{{"All about you - Name [nobody]: ", "jane\r"}, password, {"single dot): ", "one\r"}, {"one\r\n", "two\r"}, {"two\r\n", ".\r"},
			{"Colour (red, green) [red]: ", "green\r"}, {"News (1 or 0) [1]: ", "0\r"}, {"Odd: Thing: ", "\r"}},
			[]string{"get", "--trace", form}, 0, "GOT jane|(secret)|2|one|two|green|0||"},
		"defaults": {[][2]string{{"Name [nobody]: ", "\r"}, password, {"single dot): ", ".\r"}, {"Colour (red, green) [red]: ", "\r"}, {"News (1 or 0) [1]: ", "\r"},
			{"Odd: Thing: ", "x\r"}}, []string{"get", form}, 0, "GOT nobody|(secret)|0|red|1|x|"},
		"only what is open": {[][2]string{password, {"single dot): ", ".\r"}},
			[]string{"get", "--field", "Name=jane", "--field", "Colour=red", "--field", "News=1", "--field", "Odd: Thing=x", form}, 0, "GOT jane|(secret)|0|red|1|x|"},
		"no such choice": {[][2]string{{"Name [nobody]: ", "\r"}, password, {"single dot): ", ".\r"}, {"[red]: ", "blue\r"}, {"[1]: ", "\r"}, {"Thing: ", "\r"}},
			[]string{"get", form}, 2, "is one of: red, green"},
		"interrupted": {[][2]string{{"Name [nobody]: ", "jane\r"}, {"Password: ", "\x03"}}, []string{"get", form}, 130, "interrupted"},
		"a file":      {[][2]string{{"File (file name): ", upload + "\r"}}, []string{"get", s.Item('0', "/upload", "?").Text()}, 0, "GOT the file"},
		"no such file": {[][2]string{{"File (file name): ", upload + ".none\r"}}, []string{"get", s.Item('0', "/upload", "?").Text()}, 11,
			"no such file"},
		"a search": {[][2]string{{"Search: ", "motd\r"}}, []string{"get", s.SearchURL().Text()}, 0, "1 BIN  motd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown, status := atTerminal(t, tt.answers, func(question string) bool { return question == password[0] }, tt.args...)
			if status != tt.status || !strings.Contains(shown, tt.shows) {
				t.Errorf("status %d, want %d and %q in %q", status, tt.status, tt.shows, shown)
			}
			if strings.Contains(shown, secret) {
				t.Errorf("the secret stands in %q", shown)
			}
			if name == "answered" && (!strings.Contains(shown, "> ****") || !strings.Contains(shown, "> jane")) {
				t.Errorf("the trace: %q", shown)
			}
		})
	}
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
