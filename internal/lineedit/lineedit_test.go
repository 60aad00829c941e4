package lineedit

import (
	"strings"
	"testing"

	"locator/scheme/session"
)

func TestInput(t *testing.T) {
	t.Parallel()
	line, keys, secret := session.Mode{LineMode: true}, session.Mode{RemoteEcho: true}, session.Mode{LineMode: true, RemoteEcho: true}
	for _, tt := range []struct {
		name         string
		mode         session.Mode
		typed        string
		sent, echoed string
	}{
		{"a line", line, "ls\r", "ls\n|", "ls\r\n"},
		{"two lines, and a beginning", line, "a\rb\rc", "a\n|b\n|", "a\r\nb\r\nc"},
		{"erased", line, "ax\x7fb\r", "ab\n|", "ax\b \bb\r\n"},
		{"a word erased", line, "go now\x17\r", "go \n|", "go now" + strings.Repeat("\b \b", 3) + "\r\n"},
		{"wide", line, "日\x7f\r", "\n|", "日\b \b\b \b\r\n"},
		{"interrupted", line, "abc\x03d\r", "<IP>d\n|", "abc^C\r\nd\r\n"},
		{"end of file", line, "abc\x04", "abc\x04|", "abc"},
		{"a control character", line, "\x1b[A\r", "\x1b[A\n|", "^[[A\r\n"},
		{"hidden", secret, "guest\r", "guest\n|", ""},
		{"keys", keys, "l", "l|", ""},
		{"keys with echo", session.Mode{}, "l\r\x03", "l\r\x03|", "l\r\n^C"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var e Editor
			var sent, echoed strings.Builder
			for _, b := range []byte(tt.typed) {
				if !tt.mode.LineMode {
					break
				}
				e.Input([]byte{b}, tt.mode, func(s string) { echoed.WriteString(s) }, func(b []byte) { sent.Write(b); sent.WriteByte('|') }, func() { sent.WriteString("<IP>") })
			}
			if !tt.mode.LineMode {
				e.Input([]byte(tt.typed), tt.mode, func(s string) { echoed.WriteString(s) }, func(b []byte) { sent.Write(b); sent.WriteByte('|') }, nil)
			}
			if sent.String() != tt.sent || echoed.String() != tt.echoed {
				t.Errorf("sent %q, echoed %q; want %q, %q", sent.String(), echoed.String(), tt.sent, tt.echoed)
			}
		})
	}
}

// TestInputChange covers a server that wants keys while a line is being typed: it gets what was
// typed before.
func TestInputChange(t *testing.T) {
	t.Parallel()
	var e Editor
	var sent string
	for _, step := range []struct {
		text string
		mode session.Mode
	}{{"ab", session.Mode{LineMode: true}}, {"c", session.Mode{}}} {
		e.Input([]byte(step.text), step.mode, func(string) {}, func(b []byte) { sent += string(b) }, nil)
	}
	if sent != "abc" {
		t.Errorf("sent %q", sent)
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	var e Editor
	bells := 0
	for range maxLine + 10 {
		e.Edit('x', func(s string) { bells += strings.Count(s, "\a") })
	}
	if got := len(e.Take()); got != maxLine || bells != 10 {
		t.Errorf("%d bytes, %d bells", got, bells)
	}
}
