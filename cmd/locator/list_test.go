package main

import (
	"fmt"
	"io"
	"iter"
	"runtime"
	"testing"
	"time"

	"locator"
	"locator/internal/present"
	"locator/scheme"
)

// longList yields n entries of a menu, in one of four forms of name.
func longList(n int) iter.Seq2[scheme.Entry, error] {
	names := [...]string{"A plain name", "caf\u00e9", "a \x1b[2J name", "\u65e5\u672c\u8a9e"}
	return func(yield func(scheme.Entry, error) bool) {
		for i := range n {
			e := scheme.Entry{Name: names[i%len(names)], Kind: scheme.KindObject, URL: locator.MustParse(fmt.Sprintf("gopher://h.dom/0/dir/file%d.txt", i))}
			e.Attr.Size, e.Attr.Modified = scheme.Known(int64(i)), time.Unix(int64(i), 0)
			if !yield(e, nil) {
				return
			}
		}
	}
}

func formOf(asJSON bool) present.Form {
	if asJSON {
		return present.JSON(0)
	}
	return present.Columns()
}

// allocated returns the bytes that printing n entries allocates.
func allocated(t *testing.T, n int, asJSON bool) uint64 {
	t.Helper()
	a := &app{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := a.printEntries(io.Discard, longList(n), formOf(asJSON)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestListCost compares the memory that the text and the JSON of a long list take, which is most of their cost. Neither may be
// much more expensive than the other.
//
// Covers: P6, T89
func TestListCost(t *testing.T) { // not parallel: it measures the memory of the process
	const n = 2000
	text, asJSON := allocated(t, n, false), allocated(t, n, true)
	if text > 2*asJSON {
		t.Errorf("%d bytes are allocated for %d entries as text, and %d as JSON: more than twice", text, n, asJSON)
	}
}

func BenchmarkList(b *testing.B) {
	for name, asJSON := range map[string]bool{"text": false, "json": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			if err := (&app{}).printEntries(io.Discard, longList(b.N), formOf(asJSON)); err != nil {
				b.Fatal(err)
			}
		})
	}
}
