package gophertest_test

import (
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/internal/peers"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest/peer"
)

// program skips the test if a program is not installed.
func program(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			peers.Skip(t, "the program %s is not installed (Debian has it)", name)
		}
	}
}

// serve starts the server for the clients.
func serve(t *testing.T) *gophertest.Server {
	t.Helper()
	s, err := gophertest.Start(peer.Tree(),
		gophertest.Document("doc", "About doc.", gophertest.View{Type: "Text/plain", Language: "En_US", Content: "Hello\n"}),
		gophertest.Ask("form", gophertest.Form{Ask: []string{"Ask: Name"}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// run returns the output of a client.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Errorf("%s %q: %v", name, args, err)
	}
	return string(out)
}

// TestServesFolder reads a folder with a gophermap with curl and lynx.
//
// Covers: A7
func TestServesFolder(t *testing.T) {
	t.Parallel()
	program(t, "curl", "lynx")
	s := startDir(t, folder(t, map[string]string{
		"gophermap": "!A title\nWelcome\n0A text\ttext.txt\n1Below\tsub\nhWeb\tURL:http://host.invalid/\n", "text.txt": "line\n.\n", "sub/pic.gif": "GIF89a",
	}))
	base := "gopher://" + s.Addr()
	for path, want := range map[string]string{
		"/0/text.txt": "line\r\n..\r\n.\r\n", "/g/sub/pic.gif": "GIF89a", "/1/sub": here(s, "gpic.gif\t/sub/pic.gif\tHERE\t+\r\n.\r\n"),
	} {
		if got := run(t, "curl", "-sS", "-m", "20", base+path); got != want {
			t.Errorf("curl %s: %q, want %q", path, got, want)
		}
	}
	for _, want := range []string{"Welcome", "(FILE) [1]A text", "(DIR) [2]Below"} {
		if got := run(t, "lynx", "-dump", base+"/1"); !strings.Contains(got, want) {
			t.Errorf("lynx: got %q, want %q in it", got, want)
		}
	}
}

// TestServesCurlAndLynx reads menus, texts, binaries and a search with curl and lynx.
//
// Covers: A7
func TestServesCurlAndLynx(t *testing.T) {
	t.Parallel()
	program(t, "curl", "lynx")
	s := serve(t)
	base := "gopher://" + s.Addr()
	binary, _ := s.File("bytes.bin")
	for path, want := range map[string]string{
		"/9/bytes.bin": string(binary), "/0/text.txt": "line one\r\nline two\r\nline three\r\n.\r\n", "/7/search%09motd": "9motd\t/etc/motd\t127.0.0.1\t",
		"/1/etc": "9motd\t/etc/motd\t127.0.0.1\t", "/0/nope": "3'/nope' is not here\t",
	} {
		if got := run(t, "curl", "-sS", "-m", "20", base+path); got != want && !(strings.HasSuffix(want, "\t") && strings.HasPrefix(got, want)) {
			t.Errorf("curl %s: %.100q, want %.100q", path, got, want)
		}
	}
	for path, want := range map[string]string{"/1": "(FILE) [1]text.txt", "/1/names": "a b.txt", "/0/text.txt": "line two"} {
		if got := run(t, "lynx", "-dump", base+path); !strings.Contains(got, want) {
			t.Errorf("lynx %s: got %q, want %q in it", path, got, want)
		}
	}
}

// screen is what a program has written to its terminal.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), text)
}

// TestServesUMNClient goes through the menu to a text with Debian's gopher, the client of the University of Minnesota, which
// uses Gopher+.
//
// Covers: A7
func TestServesUMNClient(t *testing.T) {
	t.Parallel()
	program(t, "gopher", "script")
	s := serve(t)
	host, port, _ := net.SplitHostPort(s.Addr())
	cmd := exec.CommandContext(t.Context(), "script", "-qec", "gopher "+host+" "+port, "/dev/null")
	cmd.Env = append(cmd.Environ(), "TERM=vt100", "HOME="+t.TempDir(), "PAGER=cat")
	var out screen
	cmd.Stdout = &out
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for _, step := range []struct{ seen, press string }{{"RETURN", "\r"}, {"text.txt", "1\r"}, {"line two", ""}} {
		for end := time.Now().Add(30 * time.Second); !out.has(step.seen); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("no %q on the screen:\n%q\nthe client requested %q", step.seen, out.text.String(), s.Lines())
			}
		}
		io.WriteString(keys, step.press)
	}
	if asked := strings.Join(s.Lines(), "|"); !strings.Contains(asked, "/text.txt\t") {
		t.Errorf("the client requested %q", asked)
	}
}
