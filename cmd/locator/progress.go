package main

import (
	"fmt"
	"os"
	"time"

	bars "github.com/jedib0t/go-pretty/v6/progress"
)

// progress shows transfers into files: bars on a terminal, a line for each finished file with -v, else nothing.
type progress interface {
	file(name string) bar
	end()
}

// bar is one transfer. end may be called more than once.
type bar interface {
	begin(size, have int64) // size is -1 where it is unknown
	progress(n int)
	end(bytes int64, err error)
}

func (a *app) progress() progress {
	if f, ok := a.Err.(*os.File); ok && isTerminal(f) && !a.flags.quiet && !a.flags.json && !a.flags.trace {
		w := bars.NewWriter()
		w.SetOutputWriter(f)
		w.SetAutoStop(false)
		w.SetUpdateFrequency(100 * time.Millisecond)
		w.SetTrackerPosition(bars.PositionRight)
		w.Style().Visibility.ETA = true
		w.Style().Visibility.Speed = true
		w.Style().Options.SpeedPosition = bars.PositionRight
		go w.Render()
		return &terminalProgress{w: w}
	}
	return lineProgress{a}
}

type terminalProgress struct{ w bars.Writer }

func (p *terminalProgress) file(name string) bar {
	return &terminalBar{w: p.w, t: &bars.Tracker{Message: safe(name), Units: bars.UnitsBytes}}
}

func (p *terminalProgress) end() {
	p.w.Stop()
	for p.w.IsRenderInProgress() {
		time.Sleep(10 * time.Millisecond)
	}
}

type terminalBar struct {
	w     bars.Writer
	t     *bars.Tracker
	shown bool
}

func (b *terminalBar) begin(size, have int64) {
	if size > 0 {
		b.t.Total = size
	}
	if !b.shown {
		b.shown = true
		b.w.AppendTracker(b.t)
	}
	b.t.SetValue(have)
}

func (b *terminalBar) progress(n int) { b.t.Increment(int64(n)) }

func (b *terminalBar) end(_ int64, err error) {
	switch {
	case !b.shown || b.t.IsDone():
	case err != nil:
		b.t.MarkAsErrored()
	default:
		b.t.MarkAsDone()
	}
}

type lineProgress struct{ a *app }

func (p lineProgress) file(name string) bar { return &lineBar{a: p.a, name: name, start: time.Now()} }
func (p lineProgress) end()                 {}

// lineBar is a line when the file is there.
type lineBar struct {
	a     *app
	name  string
	start time.Time
	begun bool
}

func (b *lineBar) begin(int64, int64) { b.begun = true }
func (b *lineBar) progress(int)       {}

func (b *lineBar) end(bytes int64, err error) {
	if err == nil && b.begun {
		b.a.info("%s: %s in %v", b.name, octetsText(bytes), time.Since(b.start).Round(time.Millisecond))
		b.begun = false
	}
}

func octetsText(n int64) string { return fmt.Sprintf("%d octets", n) }
