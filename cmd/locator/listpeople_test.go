package main

import (
	"bufio"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"locator"
	"locator/scheme"
)

// TestLongSubject cuts a subject to the columns of the terminal.
func TestLongSubject(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("nntp://news.example/a.b")
	e := scheme.Entry{Name: "Re: " + strings.Repeat("日本 long ", 20), URL: locator.MustParse("nntp://news.example/a.b/1"), Attr: scheme.Attr{From: "Ann <ann@example.org>"}}
	for width, most := range map[int]int{40: 65, 80: 80, 120: 120} {
		var b strings.Builder
		out := bufio.NewWriter(&b)
		if err := peopleForm(u, width, false).print(out, e); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		line := strings.TrimSuffix(b.String(), "\n")
		if n := runewidth.StringWidth(line); n > most || n < most-2 || !strings.HasSuffix(line, "…") {
			t.Errorf("on %d columns: %d, %q", width, n, line)
		}
	}
	short := e
	short.Name = "Re: short"
	var b strings.Builder
	out := bufio.NewWriter(&b)
	if err := peopleForm(u, 40, false).print(out, short); err != nil {
		t.Fatal(err)
	}
	out.Flush()
	if !strings.HasSuffix(b.String(), "  Re: short\n") {
		t.Errorf("%q", b.String())
	}
}
