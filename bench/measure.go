package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// measured is an operation on a set, and its measurements.
type measured struct {
	set       *set
	operation operation
	passes    int
	rounds    []sample
}

// sample is one measurement. All fields but passes are per text.
type sample struct {
	passes int
	ns     float64
	octets float64 // bytes allocated
	allocs float64
}

// measure measures every operation in turn, round by round, so that other load on the machine
// affects all of them. Each round begins with a different operation.
func measure(list []*measured, rounds int, each time.Duration) {
	for _, m := range list {
		m.calibrate(each)
	}
	for round := range rounds {
		for i := range list {
			m := list[(i+round)%len(list)]
			m.rounds = append(m.rounds, m.take())
		}
	}
}

// calibrate determines how many passes take as long as a measurement should, and warms up.
func (m *measured) calibrate(each time.Duration) {
	m.passes = 1
	for {
		took := m.time()
		if took >= each {
			return
		}
		m.passes = max(m.passes+1, min(100*m.passes, int(1.2*float64(m.passes)*float64(each)/float64(max(took, 1)))))
	}
}

func (m *measured) time() time.Duration {
	begin := time.Now()
	for range m.passes {
		m.operation.pass(m.set)
	}
	return time.Since(begin)
}

// take measures once. It collects earlier garbage first; the garbage of the operation counts as its
// own cost.
func (m *measured) take() sample {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	took := m.time()
	runtime.ReadMemStats(&after)
	n := float64(m.passes * len(m.set.texts))
	return sample{
		passes: m.passes, ns: float64(took.Nanoseconds()) / n,
		octets: float64(after.TotalAlloc-before.TotalAlloc) / n, allocs: float64(after.Mallocs-before.Mallocs) / n,
	}
}

// line returns one measurement in the format of go test, for benchstat.
func (m *measured) line(round int) string {
	s := m.rounds[round]
	return fmt.Sprintf("BenchmarkURL/set=%s/op=%s\t%8d\t%10.2f ns/op\t%8.2f MB/s\t%8.1f B/op\t%8.2f allocs/op", m.set.name, m.operation.name,
		s.passes*len(m.set.texts), s.ns, m.speed(s), s.octets, s.allocs)
}

// speed returns the speed in megabytes of text per second.
func (m *measured) speed(s sample) float64 {
	return float64(m.set.octets) / float64(len(m.set.texts)) / s.ns * 1000
}

// table returns the table of results: the least and the median time of each operation, and its
// ratio to net/url, which is the median of the ratios in each round. That is more stable than the
// ratio of the medians.
func table(s *set, list []*measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %s; %d texts of %d bytes on average; %d rejected by some parser are left out\n\n", s.name, s.about, len(s.texts),
		s.octets/len(s.texts), s.dropped)
	fmt.Fprintf(&b, "%-22s %10s %10s %10s %10s %10s %10s %10s\n", "", "least ns", "median ns", "ratio", "of least", "MB/s", "B/op", "allocs/op")
	against := slices.IndexFunc(list, func(m *measured) bool { return m.operation.name == base })
	for _, m := range list {
		least := m.least()
		ratio, ofLeast := "-", "-"
		if against >= 0 {
			ratio = fmt.Sprintf("%.3f", medianRatio(m, list[against]))
			ofLeast = fmt.Sprintf("%.3f", least.ns/list[against].least().ns)
		}
		fmt.Fprintf(&b, "%-22s %10.1f %10.1f %10s %10s %10.0f %10.1f %10.2f\n", m.operation.name, least.ns,
			median(m.rounds, func(s sample) float64 { return s.ns }), ratio, ofLeast, m.speed(least),
			median(m.rounds, func(s sample) float64 { return s.octets }), median(m.rounds, func(s sample) float64 { return s.allocs }))
	}
	return b.String()
}

// least returns the fastest round.
func (m *measured) least() sample {
	return slices.MinFunc(m.rounds, func(a, b sample) int { return cmp.Compare(a.ns, b.ns) })
}

// medianRatio returns the median of the ratios of m to base in each round.
func medianRatio(m, base *measured) float64 {
	ratios := make([]float64, len(m.rounds))
	for i := range ratios {
		ratios[i] = m.rounds[i].ns / base.rounds[i].ns
	}
	return median(ratios, func(f float64) float64 { return f })
}

// median returns the median of the values.
func median[T any](list []T, value func(T) float64) float64 {
	values := make([]float64, len(list))
	for i, v := range list {
		values[i] = value(v)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
