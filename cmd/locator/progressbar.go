package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"locator/archive"
)

// bar shows one transfer.
type bar struct {
	p     *progress
	name  string
	start time.Time
	size  int64 // -1 if it is unknown
	from  int64 // bytes of the partial download that it resumed
	have  int64

	messages, expected int64 // of an archive; 0 is unknown
}

func (p *progress) file(name string) *bar {
	if p.screen != nil {
		p.begin.Do(p.open)
	}
	return &bar{p: p, name: name, start: time.Now()}
}

// begin starts the bar behind the first have bytes. The size is -1 if it is unknown.
func (b *bar) begin(size, have int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.size, b.from, b.have = size, have, have
	if !slices.Contains(b.p.bars, b) {
		b.p.bars = append(b.p.bars, b)
	}
}

func (b *bar) progress(n int) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.have += int64(n)
}

// expect sets the number of messages.
func (b *bar) expect(n int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.expected = b.messages + n
}

// stored counts a message.
func (b *bar) stored(n int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.messages++
	b.have += n
}

// reportMessages reports an archive.
func (b *bar) reportMessages(done archive.Collected) {
	known := ""
	if done.Known > 0 {
		known = fmt.Sprintf(" (%d came again and are stored already)", done.Known)
	}
	if done.Messages == 0 {
		b.p.a.note("%s: no new messages%s", b.name, known)
		return
	}
	b.p.a.note("%s: %s, %s in %v%s", b.name, counted(done.Messages, "message"), size(done.Bytes), rounded(time.Since(b.start)), known)
}

// drop removes the bar.
func (b *bar) drop() {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.p.bars = slices.DeleteFunc(b.p.bars, func(other *bar) bool { return other == b })
}

// end removes the bar and reports the file. The text of more follows the report.
func (b *bar) end(bytes int64, more string) {
	b.drop()
	b.p.mu.Lock()
	b.p.total.files++
	b.p.total.bytes += bytes - b.from
	b.p.mu.Unlock()
	from := ""
	if b.from > 0 {
		from = ", resumed at " + size(b.from)
	}
	b.p.a.note("%s: %s in %v%s%s", b.name, size(bytes), rounded(time.Since(b.start)), from, more)
}

// progressReader is a body that moves a bar.
type progressReader struct {
	io.Reader
	bar *bar
}

func (r *progressReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bar.progress(n)
	return n, err
}

// line returns the bar for a terminal with that many columns. Where they do not suffice, it leaves out the bar, then the rate.
func (b *bar) line(now time.Time, width int) string {
	rate := float64(b.have-b.from) / max(now.Sub(b.start).Seconds(), 1e-3)
	part, bar, left, numbers := "", "", "", size(b.have)
	have, of := b.have, b.size
	if b.expected > 0 {
		have, of = b.messages, b.expected
	}
	if of > 0 {
		done := min(float64(have)/float64(of), 1)
		part = fmt.Sprintf(" %3.0f%%", 100*done)
		n := int(done * barWidth)
		bar = " [" + strings.Repeat("=", n) + strings.Repeat(" ", barWidth-n) + "]"
		if b.expected > 0 {
			numbers = fmt.Sprintf("%d of %d messages, ", have, of) + numbers
		} else {
			numbers += " of " + size(of)
		}
		if rate >= 1 && b.have < b.size {
			left = ", " + clock(time.Duration(float64(b.size-b.have)/rate*float64(time.Second))) + " left"
		}
	}
	name := runewidth.FillRight(runewidth.Truncate(safe(b.name), nameWidth, "~"), nameWidth)
	speed := fmt.Sprintf("  %s/s", size(int64(rate)))
	for _, rest := range []string{part + bar + "  " + numbers + speed + left, part + "  " + numbers + speed + left, part + "  " + numbers + left, part} {
		if runewidth.StringWidth(name+rest) <= width {
			return name + rest
		}
	}
	return runewidth.Truncate(runewidth.Truncate(name, max(width-len(part), 1), "~")+part, width, "")
}
