package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows downloads: bars on a terminal while they run, and a line for each when it has ended. With --quiet and --json
// it shows nothing.
type progress struct {
	a       *app
	screen  *os.File  // nil if there are no bars
	plain   io.Writer // standard error without bars
	begin   sync.Once
	bars    *mpb.Progress
	refresh chan any
	done    chan struct{} // closed to end the drawing
	drawn   sync.WaitGroup

	files, failed atomic.Int64
	bytes         atomic.Int64
}

func (a *app) progress() *progress {
	p := &progress{a: a, plain: a.Err}
	if f, ok := a.Err.(*os.File); ok && isTerminal(f) && !a.flags.quiet && !a.flags.json && !a.flags.trace {
		p.screen = f
	}
	return p
}

// frame is the time between two redraws.
const frame = 100 * time.Millisecond

// open starts drawing. From then on messages are printed above the bars. Nothing is drawn while errMu is held, such as during
// a prompt for a password.
func (p *progress) open() {
	p.refresh, p.done = make(chan any), make(chan struct{})
	p.bars = mpb.New(mpb.WithOutput(p.screen), mpb.WithManualRefresh(p.refresh))
	p.a.errMu.Lock()
	p.a.Err = p.bars
	p.a.errMu.Unlock()
	p.drawn.Go(func() {
		tick := time.NewTicker(frame)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw()
			case <-p.done:
				return
			}
		}
	})
}

func (p *progress) draw() {
	p.a.errMu.Lock()
	defer p.a.errMu.Unlock()
	io.WriteString(p.screen, "\r") // the terminal may have echoed input
	p.refresh <- time.Now()
}

// close ends the drawing after the last messages have been shown.
func (p *progress) close() {
	if p.bars == nil {
		return
	}
	close(p.done)
	p.drawn.Wait()
	for range 3 { // a redraw is complete when the next one is accepted
		p.draw()
	}
	p.a.errMu.Lock()
	p.a.Err = p.plain
	p.a.errMu.Unlock()
	p.bars.Shutdown()
	p.bars = nil
}

// sum reports the totals if there was more than one download.
func (p *progress) sum(took time.Duration) {
	n, failed := p.files.Load(), p.failed.Load()
	if n+failed < 2 {
		return
	}
	text := fmt.Sprintf("%d files, %s in %v", n, size(p.bytes.Load()), rounded(took))
	if failed > 0 {
		text += fmt.Sprintf("; %d failed", failed)
	}
	p.a.note("%s", text)
}

// bar shows one download.
type bar struct {
	p     *progress
	name  string
	start time.Time
	have  int64 // bytes of the partial download that it resumed
	bar   *mpb.Bar
}

func (p *progress) file(name string) *bar {
	if p.screen != nil {
		p.begin.Do(p.open)
	}
	return &bar{p: p, name: name, start: time.Now()}
}

const (
	nameWidth = 28 // columns
	barWidth  = 24
)

// begin starts the bar behind the first have bytes. The size is -1 if it is unknown.
func (b *bar) begin(size, have int64) {
	b.have = have
	if b.p.screen == nil {
		return
	}
	if b.bar != nil {
		b.bar.SetTotal(max(size, 0), false)
		b.bar.SetCurrent(have)
		return
	}
	name := runewidth.FillRight(runewidth.Truncate(safe(b.name), nameWidth, "~"), nameWidth)
	count := decor.CountersKibiByte("% .1f / % .1f", decor.WCSyncSpace)
	rest := decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 7})
	style := mpb.BarStyle()
	filler := style.Build()
	if size <= 0 {
		count = decor.CurrentKibiByte("% .1f", decor.WCSyncSpace)
		rest = decor.Name("      -")
		filler = mpb.SpinnerStyle("[=   ]", "[ =  ]", "[  = ]", "[   =]").PositionLeft().Build()
	}
	bar, err := b.p.bars.Add(0, filler, mpb.BarRemoveOnComplete(), mpb.BarWidth(barWidth),
		mpb.PrependDecorators(decor.Name(name)),
		mpb.AppendDecorators(count, decor.AverageSpeed(decor.SizeB1024(0), "% .1f", decor.WCSyncSpace), rest))
	if err != nil { // closed
		return
	}
	bar.SetTotal(max(size, 0), false)
	bar.SetCurrent(have)
	b.bar = bar
}

func (b *bar) progress(n int) {
	if b.bar != nil {
		b.bar.IncrBy(n)
	}
}

// drop removes the bar.
func (b *bar) drop() {
	if b.bar != nil {
		b.bar.Abort(true)
	}
}

// end removes the bar and reports the file. The text of more follows the report.
func (b *bar) end(bytes int64, more string) {
	b.drop()
	b.p.files.Add(1)
	b.p.bytes.Add(bytes - b.have)
	from := ""
	if b.have > 0 {
		from = ", resumed at " + size(b.have)
	}
	b.p.a.note("%s: %s in %v%s%s", b.name, size(bytes), rounded(time.Since(b.start)), from, more)
}

// size formats a number of bytes.
func size(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("% .1f", decor.SizeB1024(n))
}

// rounded rounds a duration to about three digits.
func rounded(d time.Duration) time.Duration {
	switch {
	case d > time.Minute:
		return d.Round(time.Second)
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
