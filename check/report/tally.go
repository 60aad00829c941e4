package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"locator/check"
)

// Bounds of what a tally counts apart.
const (
	maxHosts   = 10_000
	maxSchemes = 100
)

// others is the row of hosts and schemes beyond these bounds.
const others = "others"

// counts is how many URLs have each verdict.
type counts map[check.Verdict]int64

func (c counts) total() (n int64) {
	for _, v := range c {
		n += v
	}
	return n
}

func (c counts) problems() (n int64) {
	for v, m := range c {
		if v.IsProblem() {
			n += m
		}
	}
	return n
}

// String returns the counts that are not 0, such as "3 ok, 1 broken".
func (c counts) String() string {
	var parts []string
	for _, v := range check.Verdicts() {
		if c[v] != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c[v], v))
		}
	}
	return strings.Join(parts, ", ")
}

// A tally counts results.
type tally struct {
	report    Report
	verdicts  counts
	fails     int64 // that make the check fail
	known     int64
	isNew     int64 // problems that the run before did not have
	recovered int64
	schemes   map[string]counts
	hosts     map[string]counts
	latency   []counts // by the steps of latencies
}

func newTally(r Report) *tally {
	t := &tally{report: r, verdicts: counts{}, schemes: map[string]counts{}, hosts: map[string]counts{}}
	for range len(latencies()) + 1 {
		t.latency = append(t.latency, counts{})
	}
	return t
}

// latencies returns the upper bounds of the rows of the plot of latencies. One more row has the
// rest.
func latencies() []time.Duration {
	const ms, s = time.Millisecond, time.Second
	return []time.Duration{50 * ms, 100 * ms, 200 * ms, 500 * ms, s, 2 * s, 5 * s, 10 * s, 30 * s}
}

func (t *tally) add(r *check.Result) {
	t.verdicts[r.Verdict]++
	if t.report.fails(r) {
		t.fails++
	}
	if t.report.known(r) {
		t.known++
	}
	if r.NewProblem() {
		t.isNew++
	}
	if r.Recovered() {
		t.recovered++
	}
}

// addDetails also counts by scheme, host and latency.
func (t *tally) addDetails(r *check.Result) {
	t.add(r)
	if r.Scheme != "" {
		count(t.schemes, r.Scheme, r.Verdict, maxSchemes)
	}
	if host := hostOf(r.URL); host != "" {
		count(t.hosts, host, r.Verdict, maxHosts)
	}
	if r.Attempts > 0 && r.Verdict != check.Skipped {
		took := time.Duration(r.MS) * time.Millisecond
		i := 0
		for i < len(latencies()) && took >= latencies()[i] {
			i++
		}
		t.latency[i][r.Verdict]++
	}
}

func count(m map[string]counts, name string, v check.Verdict, most int) {
	if m[name] == nil {
		if len(m) >= most {
			name = others
		}
		if m[name] == nil {
			m[name] = counts{}
		}
	}
	m[name][v]++
}

// row is a line of a table of counts.
type row struct {
	label string
	counts
}

// worst returns the n rows with the most problems, then those with the most URLs, and one row for
// all others.
func worst(m map[string]counts, n int) []row {
	var rows []row
	rest := row{others, counts{}}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name == others {
			rest.add(m[name])
			continue
		}
		rows = append(rows, row{name, m[name]})
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.problems(), a.problems()), cmp.Compare(b.total(), a.total()))
	})
	for len(rows) > n {
		last := len(rows) - 1
		rest.add(rows[last].counts)
		rows = rows[:last]
	}
	if rest.total() > 0 {
		rows = append(rows, rest)
	}
	return rows
}

func (c counts) add(other counts) {
	for v, n := range other {
		c[v] += n
	}
}

// summary returns the lines that say what the run as a whole found out.
func (t *tally) summary() []string {
	total := t.verdicts.total()
	lines := []string{countOf(total, "URL") + colon(t.verdicts.String())}
	r := t.report
	if before := r.Before; before != nil {
		was := counts(before.Verdicts)
		lines = append(lines, fmt.Sprintf("before: %s%s", countOf(was.total(), "URL"), colon(was.String())))
		lines = append(lines, fmt.Sprintf("%s new, %s again", countOf(t.isNew, "problem"), worksAgain(t.recovered)))
	}
	if t.known > 0 {
		lines = append(lines, isOrAre(t.known)+" known and not listed")
	}
	if r.Run.Ended.IsZero() && r.Run.Open > 0 {
		lines = append(lines, fmt.Sprintf("the run has not ended: %s not checked yet", isOrAre(r.Run.Open)))
	}
	return lines
}

func colon(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

func worksAgain(n int64) string {
	if n == 1 {
		return "1 URL works"
	}
	return fmt.Sprintf("%d URLs work", n)
}

func isOrAre(n int64) string {
	if n == 1 {
		return "1 URL is"
	}
	return fmt.Sprintf("%d URLs are", n)
}

// countOf returns a number and its noun.
func countOf[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
