package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal and the text written to it so far.
type terminal struct {
	*os.File
	mu   sync.Mutex
	text strings.Builder
	done chan struct{}
}

func newTerminal(t *testing.T, width uint16) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}); err != nil {
		t.Fatal(err)
	}
	tt := &terminal{File: slave, done: make(chan struct{})}
	go func() {
		defer close(tt.done)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			tt.mu.Lock()
			tt.text.Write(buf[:n])
			tt.mu.Unlock()
			if err != nil {
				master.Close()
				return
			}
		}
	}()
	return tt
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

func (t *terminal) waitFor(tb testing.TB, text string) {
	tb.Helper()
	for end := time.Now().Add(busyMachine); !strings.Contains(t.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			all := t.String()
			tb.Fatalf("the terminal shows no %q:\n%q", text, all[max(0, len(all)-1000):])
		}
	}
}

// On a terminal each download has a bar while it runs. Messages are printed above the bars, nothing is drawn during a prompt,
// and at the end only the messages are left.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	screen := newTerminal(t, 100)
	a := &app{world: world{Err: screen.File}}
	p := a.progress()
	one, two, three := p.file("one"), p.file("a name that is longer than its column \u00e9\x1b[2J"), p.file("three")
	quick := p.file("quick")
	if one.p.screen == nil {
		t.Error("nobody wants to see progress on a terminal")
	}
	one.begin(4<<20, 1<<20)
	one.progress(1 << 20)
	two.begin(-1, 0)
	two.progress(5 << 10)
	three.begin(100, 0)
	quick.begin(100, 0)
	quick.end(100, "")
	screen.waitFor(t, " 50% [========        ]  2.0 MiB of 4.0 MiB  ")
	screen.waitFor(t, "5.0 KiB")
	a.note("a message")
	screen.waitFor(t, "locator: a message")
	a.errMu.Lock()
	a.clear()
	fmt.Fprint(screen.File, "a question? ") // what was drawn before has been read when this has
	screen.waitFor(t, "a question? ")
	before := screen.String()
	time.Sleep(3 * frame)
	if after := screen.String(); after != before {
		t.Errorf("drawn while somebody is asked: %q", after[len(before):])
	}
	fmt.Fprintln(screen.File) // the end of the answer
	a.errMu.Unlock()
	one.end(4<<20, "")
	two.drop()
	three.end(100, "")
	p.fail("a failure")
	p.sum(3 * time.Second)
	p.close()
	p.close() // once more does nothing
	a.note("after the bars")
	screen.File.Close()
	<-screen.done
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
	rows := display(text)
	if len(rows) != 7 || slices.ContainsFunc(rows, func(row string) bool { return !strings.HasPrefix(row, "locator: ") && row != "a question? " }) {
		t.Errorf("left on the screen: %q", rows)
	}
}

// display returns the rows that a terminal without an end shows after a text of lines, erasures and moves up.
func display(text string) []string {
	var rows []string
	at := 0
	for text != "" {
		if n, rest, ok := strings.Cut(text, "A\x1b[J"); ok && strings.HasPrefix(n, "\r\x1b[") && !strings.Contains(n, "\n") {
			up, _ := strconv.Atoi(n[3:])
			at -= up
			rows, text = rows[:at], rest
			continue
		}
		line, rest, _ := strings.Cut(text, "\r\n")
		rows, text = append(rows, line), rest
		at++
	}
	return rows
}

// A mirror of many small files leaves a line for each, the sum, and the errors again; nothing else.
func TestProgressOfManyFiles(t *testing.T) {
	t.Parallel()
	screen := newTerminal(t, 80)
	a := &app{world: world{Err: screen.File}}
	p := a.progress()
	const n = 1000
	var run sync.WaitGroup
	for worker := range 8 {
		run.Go(func() {
			for i := worker; i < n; i += 8 {
				p.expect(10, true)
				b := p.file(fmt.Sprint("file ", i))
				b.begin(10, 0)
				b.progress(10)
				if i%100 == 7 {
					time.Sleep(patience + frame) // long enough for a bar
				}
				if i%250 == 0 {
					b.drop()
					a.note("broken %d", i)
					p.fail(fmt.Sprint("broken ", i))
					continue
				}
				b.end(10, "")
			}
		})
	}
	screen.waitFor(t, " of ")
	run.Wait()
	p.close()
	p.sum(time.Second)
	screen.File.Close()
	<-screen.done
	rows := display(screen.String())
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
	screen := newTerminal(t, width)
	a := &app{world: world{Err: screen.File}}
	p := a.progress()
	b := p.file(strings.Repeat("x", 100))
	b.begin(1<<20, 0)
	b.progress(1 << 10)
	screen.waitFor(t, "x~   0%")
	b.drop()
	p.close()
	screen.File.Close()
	<-screen.done
	for line := range strings.SplitSeq(screen.String(), "\n") {
		if n := len([]rune(strings.Trim(line[strings.LastIndex(line, "\x1b[J")+1:], "\r[J"))); n > width {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
}

// There are no bars with --quiet, --json and --trace, or if standard error is not a terminal.
func TestNoProgress(t *testing.T) {
	t.Parallel()
	screen := newTerminal(t, 80)
	file, err := os.Create(t.TempDir() + "/err")
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*app{
		"quiet": {world: world{Err: screen.File}, flags: flags{quiet: true}},
		"json":  {world: world{Err: screen.File}, flags: flags{json: true}},
		"trace": {world: world{Err: screen.File}, flags: flags{trace: true}},
		"file":  {world: world{Err: file}},
	} {
		p := a.progress()
		b := p.file(name)
		b.begin(10, 0)
		b.progress(10)
		b.end(10, "")
		p.close()
		if p.screen != nil || p.done != nil {
			t.Errorf("%s: there are bars", name)
		}
	}
	screen.File.Close()
	<-screen.done
	if text := screen.String(); strings.Contains(text, "10 bytes") != strings.Contains(text, "trace: 10 bytes") {
		t.Errorf("the terminal shows %q", text)
	}
	text, err := os.ReadFile(file.Name())
	if err = errors.Join(err, file.Close()); err != nil || !strings.HasPrefix(string(text), "locator: file: 10 bytes in ") {
		t.Errorf("a line for the file: %q, %v", text, err)
	}
}
