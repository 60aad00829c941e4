package report

import (
	"slices"
	"testing"

	"locator/check"
)

// Bars are to scale, their segments in a row, and the row for all others has none.
func TestNewPlot(t *testing.T) {
	t.Parallel()
	p := newPlot("By host", "host", []row{
		{"a", counts{check.OK: 3, check.Broken: 1}}, {"b", counts{check.Unsure: 2}}, {"none", counts{}}, {others, counts{check.OK: 1000}},
	})
	want := []bar{
		{{check.OK, "0.00", "750.00", "3 ok"}, {check.Broken, "750.00", "250.00", "1 broken"}},
		{{check.Unsure, "0.00", "500.00", "2 unsure"}},
		nil,
		nil,
	}
	for i, r := range p.Rows {
		if !slices.Equal(r.Bar, want[i]) {
			t.Errorf("%s: %v, want %v", r.Label, r.Bar, want[i])
		}
	}
}

// A plot without rows is left out.
func TestPlotsOfNothing(t *testing.T) {
	t.Parallel()
	if plots := newTally(Report{}).plots(); len(plots) != 0 {
		t.Errorf("%+v", plots)
	}
}
