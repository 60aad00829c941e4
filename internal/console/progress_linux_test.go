package console

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/internal/termtest"
	"locator/wire"
)

// messagesOn returns the messages on a terminal, and what prints one.
func messagesOn(screen *termtest.Terminal) (*Messages, func(string, ...any)) {
	m := NewMessages(screen.File)
	return m, func(format string, args ...any) {
		fmt.Fprintf(m, "locator: %s\n", wire.TextLine(fmt.Sprintf(format, args...)))
	}
}

// On a terminal each download has a bar while it runs. Messages are printed above the bars, nothing
// is drawn during a prompt, and at the end only the messages are left.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	screen := termtest.New(t, 100)
	m, note := messagesOn(screen)
	p := NewProgress(m, note, true)
	one, two, three := p.File("one"), p.File("a name that is longer than its column \u00e9\x1b[2J"), p.File("three")
	quick := p.File("quick")
	if !p.HasBars() {
		t.Error("nobody wants to see progress on a terminal")
	}
	one.Begin(4<<20, 1<<20)
	one.Add(1 << 20)
	two.Begin(-1, 0)
	two.Add(5 << 10)
	three.Begin(100, 0)
	quick.Begin(100, 0)
	quick.End(100, "")
	screen.WaitFor(t, " 50% [========        ]  2.0 MiB of 4.0 MiB  ")
	screen.WaitFor(t, "5.0 KiB")
	note("a message")
	screen.WaitFor(t, "locator: a message")
	m.mu.Lock()
	m.clear()
	fmt.Fprint(screen.File, "a question? ") // what was drawn before has been read when this has
	screen.WaitFor(t, "a question? ")
	before := screen.String()
	time.Sleep(3 * frame)
	if after := screen.String(); after != before {
		t.Errorf("drawn while somebody is asked: %q", after[len(before):])
	}
	fmt.Fprintln(screen.File) // the end of the answer
	m.mu.Unlock()
	one.End(4<<20, "")
	two.Drop()
	three.End(100, "")
	p.Fail("a failure")
	p.Sum(3*time.Second, true)
	p.Close()
	p.Close() // once more does nothing
	note("after the bars")
	screen.File.Close()
	<-screen.Done
	text := screen.String()
	if strings.Contains(text, "\x1b[2J") || !strings.Contains(text, `a name that is longer than ~`) {
		t.Errorf("a name is shown as it came: %q", text)
	}
	for _, want := range []string{"locator: one: 4.0 MiB in ", ", resumed at 1.0 MiB", "locator: three: 100 bytes in ", "3 files, 3.0 MiB in 3s; 1 failed", "locator: after the bars\r\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in %q", want, text)
		}
	}
	if strings.Contains(text, "quick  ") {
		t.Errorf("a short download has a bar: %q", text)
	}
	rows := termtest.Display(text)
	if len(rows) != 7 || slices.ContainsFunc(rows, func(row string) bool { return !strings.HasPrefix(row, "locator: ") && row != "a question? " }) {
		t.Errorf("left on the screen: %q", rows)
	}
}

// A mirror of many small files leaves a line for each, the sum, and the errors again; nothing else.
func TestProgressOfManyFiles(t *testing.T) {
	t.Parallel()
	screen := termtest.New(t, 80)
	m, note := messagesOn(screen)
	p := NewProgress(m, note, true)
	const n = 1000
	var run sync.WaitGroup
	for worker := range 8 {
		run.Go(func() {
			for i := worker; i < n; i += 8 {
				p.Expect(10, true)
				b := p.File(fmt.Sprint("file ", i))
				b.Begin(10, 0)
				b.Add(10)
				if i%100 == 7 {
					time.Sleep(patience + frame) // long enough for a bar
				}
				if i%250 == 0 {
					b.Drop()
					note("broken %d", i)
					p.Fail(fmt.Sprint("broken ", i))
					continue
				}
				b.End(10, "")
			}
		})
	}
	screen.WaitFor(t, " of ")
	run.Wait()
	p.Close()
	p.Sum(time.Second, true)
	screen.File.Close()
	<-screen.Done
	rows := termtest.Display(screen.String())
	if len(rows) != n+1+4 || !strings.Contains(rows[n], "996 files, 9.7 KiB in 1s; 4 failed:") {
		t.Errorf("%d rows are left, want %d: %q", len(rows), n+5, rows[max(0, len(rows)-10):])
	}
	for _, row := range rows {
		if !strings.HasPrefix(row, "locator: ") {
			t.Errorf("left on the screen: %q", row)
		}
	}
}

// No bar is wider than the terminal: it would be drawn on a new line each time.
func TestProgressOnANarrowTerminal(t *testing.T) {
	t.Parallel()
	const width = 40
	screen := termtest.New(t, width)
	m, note := messagesOn(screen)
	p := NewProgress(m, note, true)
	b := p.File(strings.Repeat("x", 100))
	b.Begin(1<<20, 0)
	b.Add(1 << 10)
	screen.WaitFor(t, "x~   0%")
	b.Drop()
	p.Close()
	screen.File.Close()
	<-screen.Done
	for line := range strings.SplitSeq(screen.String(), "\n") {
		if n := len([]rune(strings.Trim(line[strings.LastIndex(line, "\x1b[J")+1:], "\r[J"))); n > width {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
}
