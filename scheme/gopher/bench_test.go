package gopher

import (
	"bufio"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

// bigMenu returns a typical menu of n lines: items of the server and of another server, and lines
// of text between them.
func bigMenu(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "0About the item number %d\t/archive/1994/item-%d.txt\tgopher.example.org\t70\t+\r\n", i, i)
		case 1:
			fmt.Fprintf(&b, "1Folder %d of the archive\t/archive/1994/folder%d\tgopher.example.org\t70\t+\r\n", i, i)
		case 2:
			fmt.Fprintf(&b, "iA line of text to read, number %d\t\terror.host\t1\r\n", i)
		default:
			fmt.Fprintf(&b, "9A picture with a blank %d\t/pictures/a b%d.jpg\tftp.example.net\t7070\r\n", i, i)
		}
	}
	return b.String() + ".\r\n"
}

// linesAlone returns the number of lines of a menu.
func linesAlone(text string) (n int) {
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if s.Text() != "." {
			n++
		}
	}
	return n
}

// entriesOfText returns the number of entries of a menu.
func entriesOfText(text string) (n int) {
	limits := scheme.Limits{}.WithDefaults()
	m := &menu{reader: reader{here: server{host: "gopher.example.org", port: 70}}, entries: limits.Entries,
		lines: newLines(bufio.NewReaderSize(strings.NewReader(text), 16<<10), limits.Line, limits.Listing, func(bool) {}, func(string) {})}
	for e := range m.all {
		if e.Name != "" {
			n++
		}
	}
	return n
}

// itemsOfText returns the number of items of a menu.
func itemsOfText(text string) (n int) {
	limits := scheme.Limits{}.WithDefaults()
	l := newLines(bufio.NewReaderSize(strings.NewReader(text), 16<<10), limits.Line, limits.Listing, func(bool) {}, func(string) {})
	for {
		line, err := l.read()
		if err != nil {
			return n
		}
		if parseItem(line).tabs >= 3 {
			n++
		}
	}
}

// BenchmarkMenu reads a menu of 10,000 lines: only the lines, the items, and the entries with their
// URLs. "times" is the ratio to the time of only the lines; the best times count, measured in
// turns.
func BenchmarkMenu(b *testing.B) {
	text := bigMenu(10_000)
	for name, read := range map[string]func(string) int{"lines": linesAlone, "items": itemsOfText, "entries": entriesOfText} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			lines, menu := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				start := time.Now()
				if n := read(text); n != 10_000 {
					b.Fatal(n)
				}
				menu = min(menu, time.Since(start))
				b.StopTimer()
				start = time.Now()
				linesAlone(text)
				lines = min(lines, time.Since(start))
				b.StartTimer()
			}
			b.ReportMetric(float64(menu)/float64(lines), "times")
		})
	}
}
