package report

import (
	"strconv"
	"time"

	"locator/check"
	"locator/wire"
)

// A plot is a table with a bar in each row, except the row for all others, which would make those of
// the others small.
type plot struct {
	Title, Label string // Label is the heading of the first column
	Rows         []plotRow
}

type plotRow struct {
	Label string
	Total int64
	Text  string // the counts
	Bar   bar
}

// A bar has one segment per verdict. Its full width is 1000.
type bar []segment

type segment struct {
	Verdict check.Verdict
	X, W    string
	Text    string
}

// plotWidth is the width of the longest bar of a plot.
const plotWidth = 1000

// newBar returns the bar of these counts in a plot whose longest bar has most.
func newBar(c counts, most int64) bar {
	var b bar
	x := 0.0
	for _, v := range check.Verdicts() {
		if c[v] <= 0 || most <= 0 {
			continue
		}
		w := plotWidth * float64(c[v]) / float64(most)
		b = append(b, segment{v, number(x), number(w), strconv.FormatInt(c[v], 10) + " " + string(v)})
		x += w
	}
	return b
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func newPlot(title, label string, rows []row) plot {
	p := plot{Title: title, Label: label}
	most := int64(0)
	for _, r := range rows {
		if r.label != others {
			most = max(most, r.total())
		}
	}
	for _, r := range rows {
		line := plotRow{Label: wire.TextLine(r.label), Total: r.total(), Text: r.String()}
		if r.label != others {
			line.Bar = newBar(r.counts, most)
		}
		p.Rows = append(p.Rows, line)
	}
	return p
}

// plots returns the plots that have rows.
func (t *tally) plots() []plot {
	var latency []row
	for i, c := range t.latency {
		label := "longer"
		if i < len(latencies()) {
			label = "under " + duration(latencies()[i])
		}
		latency = append(latency, row{label, c})
	}
	for len(latency) > 0 && latency[len(latency)-1].total() == 0 {
		latency = latency[:len(latency)-1]
	}
	var plots []plot
	for _, p := range []plot{
		newPlot("By scheme", "scheme", worst(t.schemes, maxSchemes)),
		newPlot("By host", "host", worst(t.hosts, shownHosts)),
		newPlot("By latency", "latency", latency),
	} {
		if len(p.Rows) > 0 {
			plots = append(plots, p)
		}
	}
	return plots
}

func duration(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatInt(int64(d/time.Second), 10) + " s"
}

// verdictRows returns the plot by verdict, beside the counts of the run before.
func (t *tally) verdictRows() []verdictRow {
	then := counts{}
	if t.report.Before != nil {
		then = t.report.Before.Verdicts
	}
	most := int64(0)
	for _, n := range t.verdicts {
		most = max(most, n)
	}
	var rows []verdictRow
	for _, v := range check.Verdicts() {
		if t.verdicts[v] > 0 || then[v] > 0 {
			rows = append(rows, verdictRow{v, t.verdicts[v], then[v], newBar(counts{v: t.verdicts[v]}, most)})
		}
	}
	return rows
}
