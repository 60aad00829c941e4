package main

import (
	"fmt"
	"io"
	"locator/internal/units"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// progress shows transfers. On a terminal each one that takes longer has a bar while it runs, and a line below the bars has the
// totals; when they have ended, nothing is left of that. On any output there is a line for each file that has ended. With --quiet
// and --json it shows nothing.
type progress struct {
	a      *app
	screen *os.File // nil if there are no bars
	plain  io.Writer
	begin  sync.Once
	done   chan struct{} // closed to end the drawing
	drawn  sync.WaitGroup
	start  time.Time

	mu     sync.Mutex
	bars   []*bar // begun and not ended, in their order
	lines  []int  // the widths of the lines on the screen; errMu protects it
	total  totals
	recent []moment // the last seconds, for the rate
	errors []string // the first failures
}

// totals are the sums of a run.
type totals struct {
	files, failed   int
	links           int   // that were made
	unfollowed      int   // links that lead to nothing in the mirror
	bytes           int64 // of files that have ended
	expected        int   // files that are known
	expectedBytes   int64
	unknownExpected bool // the size of some is not known
	made, leftOut   int  // folders that were made, entries that were left out
}

// moment is the number of bytes at a time.
type moment struct {
	at    time.Time
	bytes int64
}

const (
	frame     = 100 * time.Millisecond // between two redraws
	patience  = 500 * time.Millisecond // a transfer that is shorter has no bar
	window    = 5 * time.Second        // over which the rate is measured
	nameWidth = 28                     // columns
	barWidth  = 16
	maxErrors = 20 // that are repeated at the end
	manyFiles = 20 // from this number on, the errors are repeated at the end
)

func (a *app) progress() *progress {
	p := &progress{a: a, plain: a.Err, start: time.Now()}
	if f, ok := a.Err.(*os.File); ok && isTerminal(f) && !a.flags.quiet && !a.flags.json && !a.flags.trace {
		p.screen = f
	}
	return p
}

// open starts drawing. From then on messages are printed above the bars. Nothing is drawn while errMu is held, such as during
// a prompt for a password.
func (p *progress) open() {
	p.done = make(chan struct{})
	p.a.errMu.Lock()
	p.a.Err, p.a.clear = above{p}, p.erase
	p.a.errMu.Unlock()
	p.drawn.Go(func() {
		tick := time.NewTicker(frame)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				p.a.errMu.Lock()
				p.draw(now)
				p.a.errMu.Unlock()
			case <-p.done:
				return
			}
		}
	})
}

// above writes messages above the bars. Its caller holds errMu.
type above struct{ p *progress }

func (w above) Write(b []byte) (int, error) {
	w.p.erase()
	return w.p.screen.Write(b)
}

// erase removes the bars from the screen until they are drawn again. The caller holds errMu.
func (p *progress) erase() {
	io.WriteString(p.screen, p.erasure())
	p.lines = nil
}

// erasure returns what removes the lines from the screen. A terminal that has become narrower shows some on several rows.
func (p *progress) erasure() string {
	if len(p.lines) == 0 {
		return ""
	}
	columns, rows := p.size().columns, 0
	for _, width := range p.lines {
		rows += max((width+columns-1)/columns, 1)
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", rows)
}

// screenSize is the size of the terminal.
type screenSize struct{ columns, rows int }

func (p *progress) size() screenSize {
	columns, rows, err := term.GetSize(int(p.screen.Fd()))
	if err != nil || columns < 1 || rows < 2 {
		return screenSize{80, 24}
	}
	return screenSize{columns, rows}
}

// draw draws all bars anew. The caller holds errMu.
func (p *progress) draw(now time.Time) {
	size := p.size()
	lines := p.compose(now, size.columns-1, size.rows-1)
	if len(lines) == 0 && len(p.lines) == 0 {
		return
	}
	text := p.erasure()
	p.lines = nil
	for _, line := range lines {
		text += line + "\n"
		p.lines = append(p.lines, runewidth.StringWidth(line))
	}
	io.WriteString(p.screen, text) // at once, so that nothing flickers
}

// compose returns what the screen shows: bars, and the totals if there is more than one file.
func (p *progress) compose(now time.Time, width, height int) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lines []string
	bytes := p.total.bytes
	for _, b := range p.bars {
		bytes += b.have - b.from
		if now.Sub(b.start) >= patience && len(lines) < height-1 {
			lines = append(lines, b.line(now, width))
		}
	}
	p.recent = append(p.recent, moment{now, bytes})
	for len(p.recent) > 2 && now.Sub(p.recent[1].at) > window {
		p.recent = p.recent[1:]
	}
	if now.Sub(p.start) >= patience && p.total.files+p.total.failed+len(p.bars) > 1 {
		lines = append(lines, p.sumLine(now, bytes, width))
	}
	return lines
}

// sumLine returns the line with the totals.
func (p *progress) sumLine(now time.Time, bytes int64, width int) string {
	t := &p.total
	text := units.Count(t.files, "file")
	if t.expected > t.files {
		text = fmt.Sprintf("%d of %d files", t.files, t.expected)
	}
	rate := 0.0
	if first := p.recent[0]; now.Sub(first.at) > frame/2 {
		rate = float64(bytes-first.bytes) / now.Sub(first.at).Seconds()
	}
	text += fmt.Sprintf(", %s, %s/s", units.Size(bytes), units.Size(int64(max(rate, 0))))
	if left := t.expectedBytes - bytes; left > 0 && !t.unknownExpected && rate >= 1 {
		text += ", " + units.Clock(time.Duration(float64(left)/rate*float64(time.Second))) + " left"
	}
	if t.failed > 0 {
		text += fmt.Sprintf(", %d failed", t.failed)
	}
	return runewidth.Truncate(text, width, "")
}

// close ends the drawing and removes the bars.
func (p *progress) close() {
	if p.done == nil {
		return
	}
	close(p.done)
	p.drawn.Wait()
	p.a.errMu.Lock()
	defer p.a.errMu.Unlock()
	p.erase()
	p.a.Err, p.a.clear = p.plain, nil
	p.done = nil
}

// expect adds a file to those that will be transferred.
func (p *progress) expect(size int64, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.expected++
	p.total.expectedBytes += size
	p.total.unknownExpected = p.total.unknownExpected || !known
}

// current counts a file that is up to date.
func (p *progress) current(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total.expected > 0 {
		p.total.expected--
		p.total.expectedBytes -= size
	}
}

// count changes the totals.
func (p *progress) count(change func(*totals)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.total)
}

// fail counts a failure, whose message has been printed already.
func (p *progress) fail(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.failed++
	if len(p.errors) < maxErrors {
		p.errors = append(p.errors, message)
	}
}

// sum reports the totals if there was more than one file, and repeats the failures if they may have scrolled away.
func (p *progress) sum(took time.Duration) {
	p.mu.Lock()
	t, errors := p.total, p.errors
	p.mu.Unlock()
	if t.files+t.failed+t.links+t.made+t.leftOut < 2 {
		return
	}
	text := units.Count(t.files, "file")
	if t.links > 0 {
		text += ", " + units.Count(t.links, "link")
	}
	text += fmt.Sprintf(", %s in %v", units.Size(t.bytes), units.Round(took))
	if t.unfollowed > 0 {
		text += fmt.Sprintf("; skipped %s", units.Count(t.unfollowed, "link"))
	}
	if t.made > 0 {
		text += "; made " + units.Count(t.made, "folder")
	}
	if t.leftOut > 0 {
		text += fmt.Sprintf("; %d left out", t.leftOut)
	}
	if t.failed > 0 {
		text += fmt.Sprintf("; %d failed", t.failed)
	}
	if t.failed == 0 || t.files+t.failed < manyFiles || p.a.flags.json {
		p.a.note("%s", text)
		return
	}
	p.a.note("%s:", text)
	for _, message := range errors {
		p.a.note("%s", message)
	}
	if more := t.failed - len(errors); more > 0 {
		p.a.note("and %d more", more)
	}
}
