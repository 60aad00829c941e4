package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A run of one round measures every operation that a set supports, in the format that benchstat
// reads, and prints a table.
func TestRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "urls")
	if err := os.WriteFile(file, []byte("https://host.dom/a?b\r\n\nhttp://host.dom/%41\nnot a URL\nhttps://[::1]/~x#y"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, table bytes.Buffer
	if err := (options{rounds: 2, urls: file, out: &out, table: &table}).run(); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^BenchmarkURL/set=(web|http|ten)/op=([A-Za-z0-9.-]+)\t *\d+\t *[\d.]+ ns/op\t *[\d.]+ MB/s\t *[\d.]+ B/op\t *[\d.]+ allocs/op$`)
	counts := make(map[string]int)
	for text := range strings.Lines(out.String()) {
		text = strings.TrimSuffix(text, "\n")
		if m := line.FindStringSubmatch(text); m != nil {
			counts[m[1]+"/"+m[2]]++
		} else if !regexp.MustCompile(`^(goos|goarch|pkg|cpu): .`).MatchString(text) {
			t.Errorf("benchstat cannot read %q", text)
		}
	}
	operations := operations()
	if want := 3*len(operations) - 1 - 2; len(counts) != want { // no RFC1738 in web, no web parsers in ten
		t.Errorf("%d operations were measured, want %d: %v", len(counts), want, counts)
	}
	for name, n := range counts {
		if n != 2 {
			t.Errorf("%s was measured %d times", name, n)
		}
	}
	for _, o := range operations {
		if strings.Count(table.String(), "\n"+o.name+" ") < 1 {
			t.Errorf("%s is not in the table:\n%s", o.name, table.String())
		}
	}
	for _, want := range []string{"web: the URLs of ", "3 texts of ", "1 rejected by some parser", "\nhttp: ", "\nten: "} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table does not contain %q:\n%s", want, table.String())
		}
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []options{{rounds: 0}, {rounds: 1, each: -1}, {rounds: 1, only: "("}, {rounds: 1, urls: "no/such/file"}, {rounds: 1, urls: empty}} {
		if err := o.run(); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

// The generated URLs are the same on every run, every parser accepts them, and there are enough.
func TestInputs(t *testing.T) {
	t.Parallel()
	a, err := inputs("")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []func() []string{madeUp, tenSchemes} {
		if !slices.Equal(f(), f()) {
			t.Error("the generated URLs differ from run to run")
		}
	}
	for _, s := range a {
		if len(s.texts) < 5000 || len(s.urls) != len(s.texts) || len(s.bytes) != len(s.texts) || len(s.canonical) != len(s.texts) {
			t.Errorf("%s has %d texts, and %d dropped", s.name, len(s.texts), s.dropped)
		}
		schemes := make(map[string]int)
		for _, u := range s.urls {
			schemes[u.Scheme()]++
		}
		if s.name == "ten" {
			for name, n := range schemes {
				if n < 100 {
					t.Errorf("%s has only %d of %s", s.name, n, name)
				}
			}
		}
		if want := map[string]int{"web": 2, "http": 1, "ten": 10}[s.name]; len(schemes) != want {
			t.Errorf("%s has the schemes %v", s.name, schemes)
		}
	}
}

// Each round takes the operations in turn and begins with a different one, and the table has the
// median of their ratios.
func TestMeasure(t *testing.T) {
	t.Parallel()
	var order string
	s := &set{texts: []string{"x"}, octets: 1}
	op := func(name string) *measured {
		return &measured{set: s, operation: operation{name: name, pass: func(*set) int { order += name; return 0 }}}
	}
	list := []*measured{op("a"), op("b"), op("c")}
	measure(list, 3, 0)
	if order != "abc"+"abc"+"bca"+"cab" {
		t.Errorf("the order was %s", order)
	}
	x, y := &measured{set: s}, &measured{set: s}
	for _, ns := range [][2]float64{{1, 10}, {30, 100}, {2, 10}, {50, 1000}} {
		x.rounds, y.rounds = append(x.rounds, sample{ns: ns[0]}), append(y.rounds, sample{ns: ns[1]})
	}
	if got := medianRatio(x, y); got < 0.1499 || got > 0.1501 {
		t.Errorf("the median of .05 .1 .2 .3 is %v", got)
	}
	if got := median([]float64{3, 1, 2}, func(f float64) float64 { return f }); got != 2 {
		t.Errorf("the median of 1 2 3 is %v", got)
	}
}
