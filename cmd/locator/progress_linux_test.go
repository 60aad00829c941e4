package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"locator/internal/console"
	"locator/internal/settings"
	"locator/internal/termtest"
)

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
