package termtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Terminal is a pseudo-terminal and the text written to it so far.
type Terminal struct {
	*os.File
	Done chan struct{} // closed when File is closed and all is read

	mu   sync.Mutex
	text strings.Builder
}

// New opens a pseudo-terminal with 24 rows.
func New(t testing.TB, width uint16) *Terminal {
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
	tt := &Terminal{File: slave, Done: make(chan struct{})}
	go func() {
		defer close(tt.Done)
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

// String returns the text that was written so far.
func (t *Terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// WaitFor waits until a text was written.
func (t *Terminal) WaitFor(tb testing.TB, text string) {
	tb.Helper()
	for end := time.Now().Add(limit); !strings.Contains(t.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			all := t.String()
			tb.Fatalf("the terminal shows no %q:\n%q", text, all[max(0, len(all)-1000):])
		}
	}
}

// limit is how long WaitFor waits, also on a machine that is busy.
const limit = time.Minute

// Display returns the rows that a terminal without an end shows after a text of lines, erasures and
// moves up.
func Display(text string) []string {
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
