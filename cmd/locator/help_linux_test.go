package main

import (
	"io"
	"strings"
	"testing"

	"locator/internal/manual"
	"locator/internal/termtest"
)

// No line of the help is wider than the terminal, but for examples, which are copied, and words that are too long. Without a terminal it has 80 columns.
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
