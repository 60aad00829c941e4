package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/scheme/mailto/smtptest"
	"locator/scheme/nntp/nntptest"
	"locator/scheme/telnet/telnettest"
	"locator/schemetest/peer"
)

// guide is a page of docs/guides on a protocol.
type guide struct {
	name string
	at   string // the host and port of its own server; "" is none
	file string // a folder that its server serves
	open func() (server, error)
}

func guides() []guide {
	tree := []peer.File{{Path: []string{"hello.txt"}, Content: "hello\n"}}
	return []guide{
		{name: "ftp", at: "localhost:2121", open: func() (server, error) { return ftptest.Start(tree) }},
		{name: "http", at: "localhost:8000", open: func() (server, error) { return httptest.Start(tree) }},
		{name: "gopher", at: "localhost:7070", open: func() (server, error) { return gophertest.Start(tree) }},
		{name: "news", at: "localhost:119", open: func() (server, error) {
			return nntptest.Start(nil, nntptest.Article("local.test", article("1@local.example", "", "Test", "hello\r\n")))
		}},
		{name: "mail", at: "localhost:2525", open: func() (server, error) { s, err := smtptest.Start(); return mailServer{s}, err }},
		{name: "telnet", at: "localhost:2323", open: func() (server, error) { return telnettest.Start() }},
		{name: "wais", at: "localhost:2100", file: "~/papers"},
		{name: "prospero", at: "localhost", file: "~/papers"},
		{name: "file"},
	}
}

// page returns a guide and the lines of its blocks of code, by section.
func (g guide) page(t *testing.T) (text string, code map[string][]string) {
	t.Helper()
	b, err := os.ReadFile("../../docs/guides/" + g.name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	text, code = string(b), make(map[string][]string)
	section, inside := "", false
	for line := range strings.Lines(text) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "```"):
			inside = !inside
		case inside:
			code[section] = append(code[section], line)
		case strings.HasPrefix(line, "## "):
			section = line[3:]
		}
	}
	return text, code
}

const ownServer = "A server of your own"

// isLocator reports whether a line of a guide runs locator, but not as a server.
func isLocator(line string) bool {
	_, command, piped := strings.Cut(line, "| ")
	if !piped {
		command = line
	}
	return strings.HasPrefix(command, "locator ") && !strings.HasPrefix(command, "locator serve ")
}

// runLine runs a line of a guide, which may begin with "echo WORD |", in the process of the test.
func runLine(ctx context.Context, t *testing.T, line string) (out, errs string, status int) {
	t.Helper()
	in := ""
	if echo, command, ok := strings.Cut(line, " | "); ok {
		in, line = strings.TrimPrefix(echo, "echo ")+"\n", command
	}
	line, _, _ = strings.Cut(line, "  #")
	var o, e strings.Builder
	args := shellWords(line)[1:]
	if args[0] == "put" {
		args = append(args, "--outbox", filepath.Join(t.TempDir(), "outbox"))
	}
	status = run(ctx, args, world{In: strings.NewReader(in), Out: &o, Err: &e, Getenv: func(string) string { return "" }})
	return o.String(), e.String(), status
}

// TestGuides checks that the guides have the same sections, and runs their commands: those for a
// server on this computer with one of ours, all others up to the connection.
func TestGuides(t *testing.T) {
	t.Parallel()
	for _, g := range guides() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			text, code := g.page(t)
			for _, title := range []string{"What still exists", "URLs", ownServer, "How to read old links"} {
				if !strings.Contains(text, "\n## "+title+"\n") {
					t.Errorf("there is no section %q", title)
				}
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			for section, lines := range code {
				for _, line := range lines {
					if section == ownServer && g.at != "" || !isLocator(line) || strings.Contains(line, "$(") || strings.Contains(line, " file:") {
						continue
					}
					if _, errs, status := runLine(ended, t, line); status == 2 || status == 3 {
						t.Errorf("%s: %d, %s", line, status, errs)
					}
				}
			}
			if g.at != "" {
				g.try(t, code[ownServer])
			}
		})
	}
}

// try runs the commands for a server of one's own.
func (g guide) try(t *testing.T, lines []string) {
	at := ""
	if g.open != nil {
		s, err := g.open()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		u := s.URL("")
		at = u.Host() + ":" + u.Port()
	} else {
		at = g.serve(t, lines)
	}
	n := 0
	for _, line := range lines {
		if !isLocator(line) {
			continue
		}
		n++
		if out, errs, status := runLine(t.Context(), t, strings.ReplaceAll(line, g.at, at)); status != 0 || out == "" {
			t.Errorf("%s: %d, %q, %s", line, status, out, errs)
		}
	}
	if n == 0 {
		t.Error("there is no command for it")
	}
}

// serve runs the serve verb of a guide until the end of the test, and returns its host and port.
func (g guide) serve(t *testing.T, lines []string) string {
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "locator serve ") })
	if i < 0 {
		t.Fatal("it has no command to serve a folder")
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(g.file))
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "heron.txt"), []byte("A heron in the marsh.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		args := append(shellWords(strings.Replace(lines[i], g.file, dir, 1))[1:], "--addr", "127.0.0.1:0")
		done <- run(ctx, args, world{In: strings.NewReader(""), Out: w, Err: io.Discard, Getenv: func(string) string { return "" }})
		w.Close()
	}()
	t.Cleanup(func() { cancel(); r.Close(); <-done })
	b := make([]byte, 300)
	n, err := r.Read(b)
	m := regexp.MustCompile(`^\w+://([^/]+)/`).FindStringSubmatch(string(b[:n]))
	if err != nil || m == nil {
		t.Fatalf("%q, %v", b[:n], err)
	}
	return m[1]
}
