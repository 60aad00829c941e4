package main

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"locator/internal/console"
	"locator/internal/manual"
	"locator/internal/settings"
	"locator/internal/termtest"
)

// No line of the help is wider than the terminal, but for examples, which are copied, and words
// that are too long. Without a terminal it has 80 columns.
func TestHelpWidth(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"", "flags", "get", "find", "outbox"} {
		for width, most := range map[uint16]int{60: 60, 100: 100, 200: manual.MaxWidth, 0: 80} {
			screen := termtest.New(t, max(width, 1))
			w := world{In: strings.NewReader(""), Out: screen.File, Err: io.Discard, Getenv: func(string) string { return "" }}
			var piped strings.Builder
			if width == 0 {
				w.Out = &piped
			}
			args := []string{"help", verb}
			if verb == "" {
				args = args[:1]
			}
			status := run(t.Context(), args, w)
			screen.File.Close()
			<-screen.Done
			help := strings.ReplaceAll(screen.String(), "\r\n", "\n") + piped.String()
			if status != 0 || verb != "" && !strings.Contains(help, "\n  -h, --help ") {
				t.Fatalf("help %s: status %d, %q", verb, status, help)
			}
			_, usage, _ := strings.Cut(help, "\nUsage:\n")
			usage, _, _ = strings.Cut(usage, "\n\n")
			_, examples, _ := strings.Cut(help, "\nExamples:\n")
			examples, _, _ = strings.Cut(examples, "\n\n")
			widest := 0
			for line := range strings.SplitSeq(help, "\n") {
				if !strings.Contains(usage, line) && !strings.Contains(examples, line) && !strings.ContainsAny(line, "${") {
					if widest = max(widest, len(line)); len(line) > most {
						t.Errorf("help %s on %d columns: a line of %d columns: %q", verb, width, len(line), line)
					}
				}
			}
			if widest < most-15 {
				t.Errorf("help %s on %d columns: the widest line has %d", verb, width, widest)
			}
		}
	}
}

// There are no bars with --quiet, --json and --trace, or if standard error is not a terminal.
func TestNoProgress(t *testing.T) {
	t.Parallel()
	screen := termtest.New(t, 80)
	file, err := os.Create(t.TempDir() + "/err")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err   io.Writer
		flags settings.Settings
	}{
		"quiet": {screen.File, settings.Settings{Verbosity: console.Verbosity{Quiet: true}}},
		"json":  {screen.File, settings.Settings{Verbosity: console.Verbosity{JSON: true}}},
		"trace": {screen.File, settings.Settings{Verbosity: console.Verbosity{Trace: true}}},
		"file":  {file, settings.Settings{}},
	} {
		a := newApp(world{Err: c.err, Getenv: os.Getenv})
		a.flags = c.flags
		p := a.Progress()
		b := p.File(name)
		b.Begin(10, 0)
		b.Add(10)
		b.End(10, "")
		p.Close()
		if p.HasBars() {
			t.Errorf("%s: there are bars", name)
		}
	}
	screen.File.Close()
	<-screen.Done
	if text := screen.String(); strings.Contains(text, "10 bytes") != strings.Contains(text, "trace: 10 bytes") {
		t.Errorf("the terminal shows %q", text)
	}
	text, err := os.ReadFile(file.Name())
	if err = errors.Join(err, file.Close()); err != nil || !strings.HasPrefix(string(text), "locator: file: 10 bytes in ") {
		t.Errorf("a line for the file: %q, %v", text, err)
	}
}

// A server that accepts the connection and sends nothing is named on the terminal after a few
// seconds, long before the timeout.
//
// Covers: P6
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"ftp":  {"list", "--tls", "off", "ftp://HOST/x"},
		"nntp": {"list", "nntp://HOST/a.b"},
		"http": {"get", "http://HOST/"},
		"smtp": {"put", "--outbox", t.TempDir(), "--smtp", "HOST", "--from", "a@example.org", "--subject", "x", "/dev/null", "mailto:ann@example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "HOST", l.Addr().String())
			}
			p := startPTY(t, inUTF8(), "locator", args...)
			p.until("connection", func() bool {
				c, err := l.Accept()
				if err == nil {
					t.Cleanup(func() { c.Close() })
				}
				return err == nil
			})
			p.expect("connected to " + l.Addr().String() + "; waiting for the server\r\n")
			p.typed("\x03")
			if status := p.wait(); status != 130 {
				t.Errorf("status %d", status)
			}
		})
	}
}
