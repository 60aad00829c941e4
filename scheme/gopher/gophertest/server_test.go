package gophertest_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/internal/capture"
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

// TestServesUMNClient goes through the menu to a text with Debian's gopher, the client of the
// University of Minnesota, which uses Gopher+.
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

const (
	hello = "Hello text\nline two\n.\n.dot-leading line\n..two dots\nlast line\n"
	gif   = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)

// TestExchanges sends the recorded requests to a server that behaves like the real one. The replies
// must be the recorded ones.
//
// Covers: A7
func TestExchanges(t *testing.T) {
	t.Parallel()
	doc := gophertest.Document("doc", "This abstract describes doc.\nIt has two lines.",
		gophertest.View{Type: "Text/plain", Language: "Fr_FR", Content: "Un document avec deux vues, en fran\xe7ais.\n"},
		gophertest.View{Type: "application/postscript", Language: "En_US", Content: "%!PS-Adobe-3.0\n% fake postscript view\nshowpage\n"},
		gophertest.View{Type: "Text/plain", Language: "En_US", Content: "A document with two views.\nPlain English text.\n"})
	form := gophertest.Ask("form", gophertest.Form{Ask: []string{
		"Note: Please fill in this form", "Ask: Your name:\tAnonymous", "AskP: Your password:", "AskL: Comments:", "Select: Subscribe to list:1",
		"Choose: Favourite colour:\tRed\tGreen\tBlue",
	}})
	for folder, tt := range map[string]struct {
		behavior  gophertest.Behavior
		files     map[string]string
		opts      []gophertest.Option
		exchanges string // the first parts of their names
	}{
		"umn-2.3.0": {gophertest.UMN2(), map[string]string{"hello": hello, "pic": gif}, []gophertest.Option{gophertest.Type("hello", '0'), doc, form},
			"07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 26 27 28 35 37 43 46 47 48 49 51 54"},
		"umn-3.0.5": {gophertest.UMN3(), map[string]string{"hello.txt": hello, "pic.gif": gif}, []gophertest.Option{gophertest.Type("pic.gif", 'I'), form},
			"16 17 18 19 22 26 27 28 46 47 48"},
		"pygopherd":   {gophertest.Pygopherd(), map[string]string{"hello.txt": hello, "pic.gif": gif}, nil, "05 06 08 09 10 11 12 20 25"},
		"gophernicus": {gophertest.Gophernicus(), map[string]string{"hello.txt": hello, "pic.gif": gif}, nil, "05 06 09 10 11"},
	} {
		all, err := capture.ReadDir(os.DirFS("../../../internal/capture/testdata/gopher"), folder)
		if err != nil {
			t.Fatal(err)
		}
		var files []peer.File
		for name, content := range tt.files {
			files = append(files, peer.File{Path: []string{name}, Content: content})
		}
		s, err := gophertest.Start(files, append(tt.opts, gophertest.Behave(tt.behavior))...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		shown := 0
		for _, x := range all {
			number, _, _ := strings.Cut(x.Name, "-")
			if !strings.Contains(" "+tt.exchanges+" ", " "+number+" ") {
				continue
			}
			shown++
			request := string(x.Sent())
			if number == "54" { // the form has type 0 here
				request = "0" + request[1:]
			}
			if got, want := comparable(ask(t, s.Addr(), request)), comparable(string(x.Received())); got != want {
				t.Errorf("%s/%s: the reply to %q is\n%q, recorded is\n%q", folder, x.Name, request, got, want)
			}
		}
		if want := len(strings.Fields(tt.exchanges)); shown != want {
			t.Errorf("%s: %d exchanges shown, want %d", folder, shown, want)
		}
	}
}

// These parts of a reply differ by server: the address, the dates, and sizes in kilobytes.
var (
	itself   = regexp.MustCompile(`\t(localhost|127\.0\.0\.1)\t\d+`)
	modDate  = regexp.MustCompile(` Mod-Date: .*\r\n`)
	textSize = regexp.MustCompile(`[Tt]ext/plain (\w+): <\.[01]k>`)
)

func comparable(reply string) string {
	reply = modDate.ReplaceAllString(itself.ReplaceAllString(reply, "\tHERE"), "")
	return textSize.ReplaceAllString(reply, "text/plain $1: <.1k>")
}

// ask sends a request and returns the reply.
func ask(t *testing.T, addr, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	reply, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(reply)
}

// TestOddRequests sends requests that a server must tolerate.
//
// Covers: P6
func TestOddRequests(t *testing.T) {
	t.Parallel()
	s, err := gophertest.Start(peer.Tree(), gophertest.Ask("form", gophertest.Form{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for request, want := range map[string]string{
		"\n":                                "iA small tree",
		"/\r\n":                             "iA small tree",
		"/etc/\r\n":                         "9motd\t/etc/motd\t127.0.0.1\t",
		"/etc\t+\r\n":                       "+-1\r\n9motd\t/etc/motd\t127.0.0.1\t",
		"/empty\r\n":                        "",
		"/empty\t+\r\n":                     "+0\r\n",
		"/search\tMOTD\r\n":                 "9motd\t/etc/motd\t",
		"/search\tmotd\t+\r\n":              "+-1\r\n9motd\t/etc/motd\t",
		"/search\t\t!\r\n":                  "+-1\r\n+INFO: 7Search all names\t/search\t",
		"caps.txt\r\n":                      "CAPS\r\n",
		"URL:http://a/?<b>\r\n":             "<html><head><title>A link</title></head><body>This item is at <a href=\"http://a/?&lt;b&gt;\">",
		"/text.txt\t%\r\n":                  "--1\r\n1 Keeper <keeper@host.invalid>\r\nMalformed command\r\n.\r\n",
		"/form\t+\t1\r\n+5\r\n.\r\nx\n":     "+35\r\nBEGIN ANSWERS\r\n.\r\nx\n\r\nEND ANSWERS\r\n",
		"/form\t+\t1\r\n+x\r\n":             "",
		strings.Repeat("x", 5<<10) + "\r\n": "",
	} {
		got, err := func() (string, error) {
			c, err := net.Dial("tcp", s.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, request)
			reply, err := io.ReadAll(c)
			return string(reply), err
		}()
		if !strings.HasPrefix(got, want) || want == "" && got != "" || err != nil && want != "" {
			t.Errorf("%.40q: %.100q, %v; want %q", request, got, err, want)
		}
	}
	if _, ok := s.File("etc", "motd"); !ok {
		t.Error("etc/motd cannot be read back")
	}
}
