package report

import (
	"fmt"
	"testing"

	"locator/check"
)

func TestWorst(t *testing.T) {
	t.Parallel()
	m := map[string]counts{
		"fine": {check.OK: 50}, "bad": {check.Broken: 2, check.OK: 1}, "worse": {check.Unsure: 3}, "small": {check.OK: 1}, others: {check.OK: 9},
	}
	var got string
	for _, r := range worst(m, 3) {
		got += fmt.Sprintf("%s: %s; ", r.label, r.counts)
	}
	if want := "worse: 3 unsure; bad: 1 ok, 2 broken; fine: 50 ok; others: 10 ok; "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Hosts beyond the bound are one row.
func TestTallyManyHosts(t *testing.T) {
	t.Parallel()
	tally := newTally(Report{})
	for i := range maxHosts + 20 {
		tally.addDetails(&check.Result{URL: fmt.Sprintf("http://h%d.example/", i), Verdict: check.OK})
	}
	if n := len(tally.hosts); n != maxHosts+1 || tally.hosts[others][check.OK] != 20 {
		t.Errorf("%d hosts, %v others", n, tally.hosts[others])
	}
}
