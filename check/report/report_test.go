package report

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"locator/check"
)

// In no format is a control character, a character that changes the direction of text, or a broken
// one.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		out := write(t, f.Name, hostileReport())
		if !utf8.ValidString(out) {
			t.Errorf("%s: not UTF-8", f.Name)
		}
		for _, c := range out {
			if c < ' ' && c != '\n' || c == 0x7F || c >= 0x80 && c < 0xA0 || c == '\u202e' {
				t.Errorf("%s: character %U", f.Name, c)
			}
		}
		for _, line := range strings.Split(out, "\n") {
			if f.Name != "github" && strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%s: a workflow command: %q", f.Name, line)
			}
		}
	}
}

// The text of a place may have the password that is masked in the URL.
func TestPasswords(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		out := write(t, f.Name, Report{Results: seq(&check.Result{
			URL: "http://user:****@a.example/", Verdict: check.Broken, Why: check.WhyGone,
			Sources: []check.Place{{File: "a.md", Line: 1}},
		})})
		if strings.Contains(out, "s3cret") {
			t.Errorf("%s: has the password: %s", f.Name, out)
		}
		if !strings.Contains(out, "user:****@") {
			t.Errorf("%s: has no URL: %s", f.Name, out)
		}
	}
}

func TestNoResults(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, Report{Results: seq()}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("the store is gone")
	results := func(yield func(*check.Result, error) bool) {
		_ = yield(&check.Result{URL: "http://a.example/"}, nil) && yield(nil, broken)
	}
	for _, f := range Formats() {
		if err := f.Write(new(bytes.Buffer), Report{Results: results}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", f.Name, err)
		}
		if err := f.Write(full{}, example()); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v of the writer", f.Name, err)
		}
	}
}

var errFull = errors.New("no space")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormatNamed(t *testing.T) {
	t.Parallel()
	if f, ok := FormatNamed("sarif"); !ok || f.Ext != ".sarif" {
		t.Errorf("%+v, %t", f, ok)
	}
	if _, ok := FormatNamed("pdf"); ok {
		t.Error("there is a format pdf")
	}
}

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
		b := bufio.NewWriter(discard{})
		if err := f.Write(b, Report{Results: results}); err != nil {
			t.Fatal(err)
		}
		if most > 32<<20 {
			t.Errorf("%s: %d MiB", f.Name, most>>20)
		}
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
