package main

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"locator/find"
)

// hostile are beginnings and texts that repeat. A finder that reads on from every possible
// beginning takes quadratic time for them.
var hostile = []struct{ name, before, repeat string }{
	{"prose", "", "Some words, and http://www.example.org/path in between. "},
	{"unclosed wrappers", "", "<URL:http://a/b "},
	{"one unclosed wrapper", "<URL:http://a/", "bcdefgh "},
	{"unclosed angles", "", "<http://a/b "},
	{"angles only", "", "<"},
	{"nested wrappers", "", "<URL:<URL:"},
	{"open brackets in a URL", "http://a/", "([{"},
	{"balanced brackets", "http://a/", "(b)"},
	{"closing brackets", "http://a/", ")"},
	{"colons", "", ":"},
	{"double colons", "", "std::x::"},
	{"schemes", "", "http:"},
	{"schemes with slashes", "", "http://"},
	{"schemes of letters", "", "abcdefghijklmnop"},
	{"prefixes", "", "URL:"},
	{"mailto", "", "mailto:a@"},
	{"news", "", "news:a."},
	{"dots at the end", "http://a/", "."},
	{"one long line", "", "a word and http://a/b?c=d then "},
	{"one long URL", "http://a/", "abcdefgh/"},
	{"hyphens in a wrapper", "<URL:http://a/", "b-\n"},
	{"quote marks", "<URL:http://a/", "b\n> > "},
	{"commas between URLs", "", "http://a/b,"},
	{"NUL", "", "\x00http://a\x00"},
	{"invalid UTF-8", "", "\xff\xc3http://a\xe2\x80"},
	{"private characters", "", "http://a/\ue000"},
	{"letters beyond ASCII", "", "http://a/é路"},
	{"www", "", "www."},
	{"at signs", "", "a@b"},
	{"hosts that are none", "", "http://!"},
	{"addresses without @", "", "mailto:!"},
	{"names that are none", "", "www.-/!"},
	{"blank lines", "<URL:http://a/", "\n"},
	{"footers", "<URL:http://a/", "\n[Page 1]"},
	{"short lines", "<http://a/", "b\n"},
}

// grow prints the time per byte of each hostile text in four sizes, each half of the next, with all
// options on. It fails if the largest takes more than four times as long per byte as the smallest.
func grow(w *bufio.Writer, size string) error {
	most, err := bytesOf(size)
	if err != nil {
		return err
	}
	if most < 8<<10 {
		return fmt.Errorf("%s: too small to measure", size)
	}
	sizes := []int{int(most / 8), int(most / 4), int(most / 2), int(most)}
	fmt.Fprintf(w, "%-24s", "ns per byte")
	for _, n := range sizes {
		fmt.Fprintf(w, "%8d", n)
	}
	fmt.Fprintf(w, "%8s%14s%8s\n", "growth", "Read", "growth")
	var bad []string
	finder := find.Finder{Web: true, Mail: true, IRI: true}
	for _, h := range hostile {
		fmt.Fprintf(w, "%-24s", h.name)
		text := h.before + strings.Repeat(h.repeat, int(most)/len(h.repeat))
		ofAll := func(text string) func() {
			return func() {
				for range finder.All(text) {
				}
			}
		}
		ofRead := func(text string) func() {
			return func() {
				for range finder.Read(strings.NewReader(text)) {
				}
			}
		}
		all, err := perByte(text, sizes, ofAll)
		if err != nil {
			return fmt.Errorf("%s: All %w", h.name, err)
		}
		read, err := perByte(text, sizes[2:], ofRead)
		if err != nil {
			return fmt.Errorf("%s: Read %w", h.name, err)
		}
		for _, ns := range all {
			fmt.Fprintf(w, "%8.2f", ns)
		}
		fmt.Fprintf(w, "%8.2f%14.2f%8.2f\n", growth(all), read[1], growth(read))
		if growth(all) > 4 || growth(read) > 3 {
			bad = append(bad, h.name)
		}
	}
	if bad != nil {
		return fmt.Errorf("not linear: %s", strings.Join(bad, ", "))
	}
	return nil
}

// growth returns how much longer a byte takes in the largest text than in the smallest. Times of
// less than 0.5 ns are noise.
func growth(ns []float64) float64 { return max(ns[len(ns)-1], 0.5) / max(ns[0], 0.5) }

// patience is how long a run may take.
const patience = 30 * time.Second

// perByte returns the least processor time of three runs over the first bytes of the text, for each
// of the sizes, in nanoseconds per byte. It fails if a run takes too long; that run goes on.
func perByte(text string, sizes []int, runOf func(text string) func()) ([]float64, error) {
	var all []float64
	for _, n := range sizes {
		n = min(n, len(text))
		run, least := runOf(text[:n]), patience
		for range 3 {
			done := make(chan time.Duration, 1)
			go func() {
				begin := clock()
				run()
				done <- clock() - begin
			}()
			select {
			case took := <-done:
				least = min(least, took)
			case <-time.After(patience):
				return nil, fmt.Errorf("takes more than %v for %d bytes", patience, n)
			}
		}
		all = append(all, float64(least.Nanoseconds())/float64(n))
	}
	return all, nil
}
