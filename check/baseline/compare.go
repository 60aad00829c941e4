package baseline

import (
	"strings"
	"time"

	"locator/check"
)

// A Comparison compares the results of a run with a baseline.
type Comparison struct {
	old     *Baseline
	selects func(*check.Result) bool
	today   string
	next    Baseline
	works   map[string]bool // keys of old that work again
	err     error
}

// Compare begins a comparison. selects reports whether a result belongs into a baseline: whether it
// would make a check without one fail. now is the date of new entries.
func (b *Baseline) Compare(selects func(*check.Result) bool, now time.Time) *Comparison {
	return &Comparison{
		old: b, selects: selects, today: now.UTC().Format(time.DateOnly), works: make(map[string]bool), next: Baseline{make(map[string]Entry)},
	}
}

// Add adds a result of the run.
func (c *Comparison) Add(r *check.Result) {
	k := key(r.URL)
	var old Entry
	known := false
	if c.old != nil {
		old, known = c.old.entries[k]
	}
	e := Entry{URL: strings.Clone(k), Verdict: r.Verdict, Why: r.Why, Date: c.today, Note: old.Note}
	switch {
	case known && (r.Verdict == check.OK || r.Verdict == check.Moved) && !c.selects(r):
		c.works[old.URL] = true
		return
	case known && (c.old.Knows(r) || !c.selects(r)):
		e = old // also one that nobody can say anything of today
	case !c.selects(r):
		return
	}
	if len(c.next.entries) >= maxEntries {
		c.err = ErrTooLarge
		return
	}
	c.next.entries[k] = e
}

// Recovered returns the entries of the baseline that work again, sorted by URL.
func (c *Comparison) Recovered() []Entry {
	var list []Entry
	for _, e := range c.old.Entries() {
		if c.works[e.URL] {
			list = append(list, e)
		}
	}
	return list
}

// Updated returns the baseline after a run of all that is checked: without the URLs that work again
// and those that the run did not have, and with the new ones. The others are unchanged.
func (c *Comparison) Updated() (*Baseline, error) {
	if c.err != nil {
		return nil, c.err
	}
	return &c.next, nil
}
