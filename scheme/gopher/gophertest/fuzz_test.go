package gophertest

import (
	"strings"
	"testing"
)

// FuzzGophermap checks that each item of any gophermap is one line of four or five fields.
//
// Covers: P6
func FuzzGophermap(f *testing.F) {
	f.Add("!Title\nHello\n0A\ta.txt\n1There\t\thost.invalid\t70\n-x\n:foo=0\n=more\n*\n", "sub")
	f.Add("0A\rB\ta\x00\rb\t h \t+70\t?\r\n.\r\n", "")
	f.Fuzz(func(t *testing.T, text, dir string) {
		m := parseMap(text, dir, func(name string) bool { return name == "x" }, func(name string) (string, bool) { return text, name == "more" })
		if len(m.lines) > maxMapLines {
			t.Errorf("%d lines", len(m.lines))
		}
		for _, it := range m.lines {
			line, ok := strings.CutSuffix(it.text("h", 70, "+"), "\r\n")
			tabs := strings.Count(line, "\t")
			if !ok || strings.ContainsAny(line, "\r\n\x00") || tabs < 3 || tabs > 4 || line[0] <= ' ' {
				t.Errorf("%+v is %q", it, line)
			}
			if it.host == "" && it.typ == '0' && !isFurther(it.selector) {
				t.Errorf("%+v is not of this server", it)
			}
		}
	})
}
