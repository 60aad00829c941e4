package telnet

import (
	"strings"
	"testing"
)

// Names of the terminal, which come from the environment.
//
// Covers: A10
func TestTerminalTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ term, charset, want string }{
		{"", "", "UNKNOWN"}, {"vt100", "", "VT100"}, {"xterm-256color", "", "XTERM-256COLOR XTERM"}, {"x\xff\xf0", "", "UNKNOWN"}, {"a b", "", "UNKNOWN"},
		{strings.Repeat("x", 41), "", "UNKNOWN"}, {"xterm", "CP437", "ANSI XTERM"}, {"ansi", "IBM850", "ANSI"}, {"linux", "UTF-8", "LINUX"}, {"-x", "", "-X"},
	} {
		if got := strings.Join(terminalTypes(tt.term, tt.charset), " "); got != tt.want {
			t.Errorf("%q, %q: %s, want %s", tt.term, tt.charset, got, tt.want)
		}
	}
}
