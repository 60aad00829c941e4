//go:build !race

package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"locator/check"
)

// many yields n results, the last of which is broken.
func many(n int) iter.Seq2[*check.Result, error] {
	return func(yield func(*check.Result, error) bool) {
		for i := range n {
			r := &check.Result{URL: fmt.Sprintf("http://h%d.example/", i), Scheme: "http", Verdict: check.Unsure, Why: check.WhyTime, Attempts: 1,
				Sources: []check.Place{{File: "list.txt", Line: i + 1}}}
			if i == n-1 {
				r.Verdict, r.Why = check.Broken, check.WhyGone
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Listings are bounded, name the worst first, and say how much they leave out. JSON lines and CSV
// have everything.
func TestBounds(t *testing.T) {
	t.Parallel()
	const n = maxFindings + 500
	for _, f := range Formats() {
		out := write(t, f.Name, Report{Results: many(n)})
		lines := strings.Count(out, "\n")
		switch f.Name {
		case "json":
			if lines != n {
				t.Errorf("%s: %d lines", f.Name, lines)
			}
		case "csv":
			if lines != n+1 {
				t.Errorf("%s: %d lines", f.Name, lines)
			}
		default:
			if got := strings.Count(out, ".example/"); got < maxFindings || got > 3*maxFindings {
				t.Errorf("%s: %d URLs", f.Name, got)
			}
			if !strings.Contains(out, "500 more URLs are not listed") && !strings.Contains(out, "500 URLs that are not listed") {
				t.Errorf("%s: does not say how many more: %s", f.Name, out[max(0, len(out)-300):])
			}
			if !strings.Contains(out, fmt.Sprintf("h%d.example", n-1)) {
				t.Errorf("%s: the broken one is lost", f.Name)
			}
		}
	}
}

// A report of many results needs memory for what it lists, not for what it reads.
func TestMemory(t *testing.T) {
	const n = 200_000
	for _, f := range Formats() {
		most := uint64(0)
		results := func(yield func(*check.Result, error) bool) {
			i := 0
			for r, err := range many(n) {
				if i++; i%(n/4) == 0 {
					runtime.GC()
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					most = max(most, m.HeapAlloc)
				}
				if !yield(r, err) {
					return
				}
			}
		}
		b := bufio.NewWriter(io.Discard)
		if err := f.Write(b, Report{Results: results}); err != nil {
			t.Fatal(err)
		}
		if most > 32<<20 {
			t.Errorf("%s: %d MiB", f.Name, most>>20)
		}
	}
}
