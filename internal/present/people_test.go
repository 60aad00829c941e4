package present

import (
	"bufio"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
)

// TestLongSubject cuts a subject to the columns of the terminal.
func TestLongSubject(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("nntp://news.example/a.b")
	e := scheme.Entry{Name: "Re: " + strings.Repeat("日本 long ", 20), URL: locator.MustParse("nntp://news.example/a.b/1"), Attr: scheme.Attr{From: "Ann <ann@example.org>"}}
	for width, most := range map[int]int{40: 65, 80: 80, 120: 120} {
		var b strings.Builder
		out := bufio.NewWriter(&b)
		if err := People(u, width, false).Print(out, e); err != nil {
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
	if err := People(u, 40, false).Print(out, short); err != nil {
		t.Fatal(err)
	}
	out.Flush()
	if !strings.HasSuffix(b.String(), "  Re: short\n") {
		t.Errorf("%q", b.String())
	}
}

// A message has the number of its row, after "#", and that of the server, which its URL has: they
// differ in a range or with --newest.
//
// Covers: A9
func TestMessageNumbers(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("nntp://news.example/a.b")
	form := People(u, 80, false)
	var b strings.Builder
	out := bufio.NewWriter(&b)
	for i, n := range []int64{5012, 5011, 1_234_567, 0} {
		e := scheme.Entry{Name: strconv.Itoa(i), URL: u, Position: message.Position{List: "x", Number: n}, Attr: scheme.Attr{From: "Ann <ann@example.org>", Modified: time.Date(1994, 12, 1, 12, 0, 0, 0, time.UTC)}}
		if err := form.Print(out, e); err != nil {
			t.Fatal(err)
		}
	}
	out.Flush()
	const want = "  #1  5012 1994-12-01 12:00  Ann                   0\n" +
		"  #2  5011 1994-12-01 12:00  Ann                   1\n" +
		"  #3 1234567 1994-12-01 12:00  Ann                   2\n" +
		"  #4 1994-12-01 12:00  Ann                   3\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}
