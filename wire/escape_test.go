package wire_test

import (
	"strconv"
	"strings"
	"testing"

	"locator/wire"
)

func printableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7E {
			return false
		}
	}
	return true
}

// unescape reverses Escape. ok is false for text that Escape cannot return.
func unescape(s string) (text string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i+1:], `\`):
			b.WriteByte('\\')
			i++
		case strings.HasPrefix(s[i+1:], "x") && len(s) > i+3:
			n, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 3
		default:
			return "", false
		}
	}
	return b.String(), true
}

// Covers: P6, T42
func TestEscape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                     "",
		"plain ~ text":         "plain ~ text",
		`C:\x41`:               `C:\\x41`,
		"a\tb\r\n":             `a\x09b\x0d\x0a`,
		"\x1b]0;title\x07":     `\x1b]0;title\x07`,
		"caf\u00e9":            `caf\xc3\xa9`,
		"\u202e\x7f\x9b2J\xff": `\xe2\x80\xae\x7f\x9b2J\xff`,
		"\x00":                 `\x00`,
	} {
		if got := wire.Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzEscape checks that Escape returns printable ASCII and is reversible.
//
// Covers: P6
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", `\`, `\x1b`, "\x1b[31m", "\r\n\x00\t\x7f", "caf\u00e9 \u202e", "\xff\xfe\x9b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := wire.Escape(s)
		if !printableASCII(got) {
			t.Fatalf("Escape(%q) = %q", s, got)
		}
		if back, ok := unescape(got); !ok || back != s {
			t.Fatalf("%q was escaped to %q and reads back as %q", s, got, back)
		}
	})
}
