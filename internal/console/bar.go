package console

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"locator/internal/units"
	"locator/wire"
)

// Bar shows one transfer.
type Bar struct {
	p     *Progress
	name  string
	start time.Time
	size  int64 // -1 if it is unknown
	from  int64 // bytes of the partial download that it resumed
	have  int64

	messages, expected int64 // of an archive; 0 means unknown
}

// File returns the bar of a transfer, which Begin shows.
func (p *Progress) File(name string) *Bar {
	if p.screen != nil {
		p.begin.Do(p.open)
	}
	return &Bar{p: p, name: name, start: time.Now()}
}

// Begin starts the bar behind the first have bytes. The size is -1 if it is unknown.
func (b *Bar) Begin(size, have int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.size, b.from, b.have = size, have, have
	if !slices.Contains(b.p.bars, b) {
		b.p.bars = append(b.p.bars, b)
	}
}

// Add moves the bar by n bytes.
func (b *Bar) Add(n int) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.have += int64(n)
}

// Expect sets the number of messages.
func (b *Bar) Expect(n int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.expected = b.messages + n
}

// Stored counts a message.
func (b *Bar) Stored(n int64) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.messages++
	b.have += n
}

// ReportMessages reports an archive that got so many messages, and how many came again.
func (b *Bar) ReportMessages(messages, again int, bytes int64) {
	known := ""
	if again > 0 {
		known = fmt.Sprintf(" (%d came again and are stored already)", again)
	}
	if messages == 0 {
		b.p.note("%s: no new messages%s", b.name, known)
		return
	}
	b.p.note("%s: %s, %s in %v%s", b.name, units.Count(messages, "message"), units.Size(bytes), units.Round(time.Since(b.start)), known)
}

// Drop removes the bar.
func (b *Bar) Drop() {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.p.bars = slices.DeleteFunc(b.p.bars, func(other *Bar) bool { return other == b })
}

// End removes the bar and reports the file. The text of more follows the report.
func (b *Bar) End(bytes int64, more string) {
	b.Drop()
	b.p.mu.Lock()
	b.p.total.files++
	b.p.total.bytes += bytes - b.from
	b.p.mu.Unlock()
	from := ""
	if b.from > 0 {
		from = ", resumed at " + units.Size(b.from)
	}
	b.p.note("%s: %s in %v%s%s", b.name, units.Size(bytes), units.Round(time.Since(b.start)), from, more)
}

// Reader returns a reader of r that moves the bar.
func (b *Bar) Reader(r io.Reader) io.Reader { return &progressReader{r, b} }

// progressReader is a body that moves a bar.
type progressReader struct {
	io.Reader
	bar *Bar
}

// Read implements io.Reader.
func (r *progressReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bar.Add(n)
	return n, err
}

// line returns the bar for a terminal with that many columns. Where they do not suffice, it leaves
// out the bar, then the rate.
func (b *Bar) line(now time.Time, width int) string {
	rate := float64(b.have-b.from) / max(now.Sub(b.start).Seconds(), 1e-3)
	part, bar, left, numbers := "", "", "", units.Size(b.have)
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
			numbers += " of " + units.Size(of)
		}
		if rate >= 1 && b.have < b.size {
			left = ", " + units.Clock(time.Duration(float64(b.size-b.have)/rate*float64(time.Second))) + " left"
		}
	}
	name := runewidth.FillRight(runewidth.Truncate(wire.TextLine(b.name), nameWidth, "~"), nameWidth)
	speed := fmt.Sprintf("  %s/s", units.Size(int64(rate)))
	for _, rest := range []string{part + bar + "  " + numbers + speed + left, part + "  " + numbers + speed + left, part + "  " + numbers + left, part} {
		if runewidth.StringWidth(name+rest) <= width {
			return name + rest
		}
	}
	return runewidth.Truncate(runewidth.Truncate(name, max(width-len(part), 1), "~")+part, width, "")
}
