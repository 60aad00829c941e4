package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"locator/internal/units"
)

// Progress shows transfers. On a terminal each one that takes longer has a bar while it runs, and a
// line below the bars has the totals; when they have ended, nothing is left of that. On any output
// there is a message for each file that has ended.
type Progress struct {
	messages *Messages
	note     func(format string, args ...any)
	screen   *os.File // nil if there are no bars
	plain    io.Writer
	begin    sync.Once
	done     chan struct{} // closed to end the drawing
	drawn    sync.WaitGroup
	start    time.Time

	mu     sync.Mutex
	bars   []*Bar // begun and not ended, in their order
	lines  []int  // the widths of the lines on the screen; Messages.mu protects it
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

// NewProgress returns a display of transfers. note prints a message to m. If bars is set and m goes
// to a terminal, there are bars. The caller must call Close.
func NewProgress(m *Messages, note func(format string, args ...any), bars bool) *Progress {
	p := &Progress{messages: m, note: note, plain: m.to, start: time.Now()}
	if f, ok := m.to.(*os.File); ok && bars && IsTerminal(f) {
		p.screen = f
	}
	return p
}

// HasBars reports whether running transfers have bars.
func (p *Progress) HasBars() bool { return p.screen != nil }

// open starts drawing. From then on messages are printed above the bars. Nothing is drawn while
// Messages.mu is held, such as during a prompt for a password.
func (p *Progress) open() {
	p.done = make(chan struct{})
	p.messages.mu.Lock()
	p.messages.to, p.messages.clear = above{p}, p.erase
	p.messages.mu.Unlock()
	p.drawn.Go(func() {
		tick := time.NewTicker(frame)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				p.messages.mu.Lock()
				p.draw(now)
				p.messages.mu.Unlock()
			case <-p.done:
				return
			}
		}
	})
}

// above writes messages above the bars. Its caller holds Messages.mu.
type above struct{ p *Progress }

func (w above) Write(b []byte) (int, error) {
	w.p.erase()
	return w.p.screen.Write(b)
}

// erase removes the bars from the screen until they are drawn again. The caller holds Messages.mu.
func (p *Progress) erase() {
	io.WriteString(p.screen, p.erasure())
	p.lines = nil
}

// erasure returns what removes the lines from the screen. A terminal that has become narrower shows
// some on several rows.
func (p *Progress) erasure() string {
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

func (p *Progress) size() screenSize {
	columns, rows, err := term.GetSize(int(p.screen.Fd()))
	if err != nil || columns < 1 || rows < 2 {
		return screenSize{80, 24}
	}
	return screenSize{columns, rows}
}

// draw draws all bars anew. The caller holds Messages.mu.
func (p *Progress) draw(now time.Time) {
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
func (p *Progress) compose(now time.Time, width, height int) []string {
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
func (p *Progress) sumLine(now time.Time, bytes int64, width int) string {
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

// Close ends the drawing and removes the bars.
func (p *Progress) Close() {
	if p.done == nil {
		return
	}
	close(p.done)
	p.drawn.Wait()
	p.messages.mu.Lock()
	defer p.messages.mu.Unlock()
	p.erase()
	p.messages.to, p.messages.clear = p.plain, nil
	p.done = nil
}

// Expect adds a file to those that will be transferred.
func (p *Progress) Expect(size int64, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.expected++
	p.total.expectedBytes += size
	p.total.unknownExpected = p.total.unknownExpected || !known
}

// Current counts a file that is up to date.
func (p *Progress) Current(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total.expected > 0 {
		p.total.expected--
		p.total.expectedBytes -= size
	}
}

// Link counts a link that was made in place of an expected file.
func (p *Progress) Link() { p.count(func(t *totals) { t.links, t.expected = t.links+1, t.expected-1 }) }

// Unfollowed counts an expected link that leads to nothing in the mirror.
func (p *Progress) Unfollowed() {
	p.count(func(t *totals) { t.unfollowed, t.expected = t.unfollowed+1, t.expected-1 })
}

// Made counts a folder that was made.
func (p *Progress) Made() { p.count(func(t *totals) { t.made++ }) }

// LeftOut counts an entry that was left out.
func (p *Progress) LeftOut() { p.count(func(t *totals) { t.leftOut++ }) }

// count changes the totals.
func (p *Progress) count(change func(*totals)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.total)
}

// Fail counts a failure, whose message has been printed already.
func (p *Progress) Fail(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.failed++
	if len(p.errors) < maxErrors {
		p.errors = append(p.errors, message)
	}
}

// Sum reports the totals if there was more than one file. With repeat, it repeats the failures if
// they may have scrolled away.
func (p *Progress) Sum(took time.Duration, repeat bool) {
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
	if t.failed == 0 || t.files+t.failed < manyFiles || !repeat {
		p.note("%s", text)
		return
	}
	p.note("%s:", text)
	for _, message := range errors {
		p.note("%s", message)
	}
	if more := t.failed - len(errors); more > 0 {
		p.note("and %d more", more)
	}
}
