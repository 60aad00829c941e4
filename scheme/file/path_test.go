package file

import (
	"errors"
	"strings"
	"testing"

	"locator/scheme"
)

// Covers: S15, A12, T154
func TestUnixPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		segments []string
		want     string // "" is an error
	}{
		{[]string{""}, "/"},
		{[]string{"etc", "motd"}, "/etc/motd"},
		{[]string{"etc", ""}, "/etc/"},
		{[]string{"", "etc", "", "motd"}, "//etc//motd"},
		{[]string{"a", "..", "b"}, "/a/../b"},
		{[]string{"C:", "x"}, "/C:/x"},
		{[]string{"caf\xe9", "a\nb", "\x1b"}, "/caf\xe9/a\nb/\x1b"},
		{[]string{"etc/motd"}, ""},
		{[]string{"/", "etc"}, ""},
		{[]string{"etc", "motd\x00.txt"}, ""},
	} {
		got, err := unixPath(tt.segments)
		checkPath(t, tt.segments, got, tt.want, err)
	}
}

// Covers: S15, A12, T153
func TestWindowsPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		segments []string
		want     string
	}{
		{[]string{"C:", "x", "y.txt"}, `C:\x\y.txt`},
		{[]string{"c|", "x"}, `C:\x`},
		{[]string{"c:", ""}, `C:\`},
		{[]string{"c:"}, `C:\`},
		{[]string{""}, `\`},
		{[]string{"x", ""}, `\x\`},
		{[]string{"x", "caf\xe9"}, `\x\caf` + "\xe9"},
		{[]string{"CC:", "x"}, ""},
		{[]string{"x", "C:"}, ""},
		{[]string{"1:", "x"}, ""},
		{[]string{"C:", "x:stream"}, ""},
		{[]string{"C:", `x\y`}, ""},
		{[]string{"C:", "", "server", "share"}, ""},
		{[]string{"", "server", "share"}, ""},
		{[]string{"C:", "x/y"}, ""},
		{[]string{"C:", "a\x00b"}, ""},
		{[]string{"C:", "what?"}, ""},
		{[]string{"C:", "x", "NUL"}, ""},
		{[]string{"C:", "x", "nul.txt"}, ""},
		{[]string{"C:", "com1"}, ""},
		{[]string{"C:", "COM\u00b2.log"}, ""},
		{[]string{"C:", "aux .txt"}, ""},
		{[]string{"C:", "conin$"}, ""},
		{[]string{"C:", "comet", "com", "null", "lptx"}, `C:\comet\com\null\lptx`},
	} {
		got, err := windowsPath(tt.segments)
		checkPath(t, tt.segments, got, tt.want, err)
	}
}

func checkPath(t *testing.T, segments []string, got, want string, err error) {
	t.Helper()
	if got != want || (err != nil) != (want == "") {
		t.Errorf("%q: %q, %v; want %q", segments, got, err, want)
	}
	if e, ok := errors.AsType[*scheme.Error](err); err != nil && (!ok || e.Code != scheme.CodeRefused) {
		t.Errorf("%q: %v, want code refused", segments, err)
	}
	if err != nil && strings.ContainsAny(err.Error(), "\x00\n\x1b") {
		t.Errorf("%q: the error holds control characters: %q", segments, err)
	}
}

// FuzzPath checks that a segment remains one name, whatever it contains.
//
// Covers: T154
func FuzzPath(f *testing.F) {
	for _, s := range []string{"etc|motd", "C:|x", "..|..|x", "|", "a/b", `a\b`, "nul", "\x00", "c|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		segments := strings.Split(s, "|")
		if p, err := unixPath(segments); err == nil {
			if strings.Count(p, "/") != len(segments) || strings.Contains(p, "\x00") {
				t.Fatalf("%q: %q", segments, p)
			}
		}
		if p, err := windowsPath(segments); err == nil {
			rest := p
			if len(p) > 1 && p[1] == ':' {
				rest = p[2:]
			}
			if strings.ContainsAny(rest, ":/\x00") || strings.HasPrefix(rest, `\\`) || strings.Count(rest, `\`) > len(segments) {
				t.Fatalf("%q: %q", segments, p)
			}
		}
	})
}
