package check

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"locator/scheme"
)

// Confirm says when a URL that worked before is Broken: after that many runs in a row in which it
// led to nothing, over at least that time. Until then it is Failing.
type Confirm struct {
	Runs int
	Over time.Duration
}

// DefaultConfirm is three runs over three days.
var DefaultConfirm = Confirm{3, 72 * time.Hour}

// ParseConfirm parses "3/72h", or "1", which takes no time. A number of the time without a unit is
// in seconds.
func ParseConfirm(text string) (Confirm, error) {
	runs, over, slash := strings.Cut(text, "/")
	n, err := strconv.Atoi(runs)
	c := Confirm{Runs: n}
	if err == nil && slash {
		if c.Over, err = time.ParseDuration(over); err != nil {
			var s int
			s, err = strconv.Atoi(over)
			c.Over = time.Duration(s) * time.Second
		}
	}
	if err != nil || n < 1 || c.Over < 0 {
		return Confirm{}, scheme.Fail(scheme.CodeUsage, "%s", fmt.Sprintf("%q is not a number of runs and a time, such as 3/72h", text))
	}
	return c, nil
}

// remember sets the parts of a result that depend on the runs before, and what the history keeps of
// it.
func (c Confirm) remember(r *Result, before *Memory) {
	var m Memory
	if before != nil {
		m = *before
		r.Before = before.Verdict
	}
	switch r.Verdict {
	case OK, Moved:
		m.Worked, m.Fails, m.Since = r.At, 0, time.Time{}
		m.Bytes, m.Modified, m.ETag = r.Bytes, r.Modified, r.ETag
		if r.Digest != "" {
			m.Digest = r.Digest
		}
	case Broken:
		if m.Fails == 0 || r.At.Before(m.Since) { // the clock was set back
			m.Since = r.At
		}
		m.Fails++
		r.Fails, r.Since = m.Fails, m.Since
		if !m.Worked.IsZero() && (m.Fails < c.Runs || r.At.Sub(m.Since) < c.Over) {
			r.Verdict = Failing
		}
	}
	m.Verdict, m.Why, m.At = r.Verdict, r.Why, r.At
	r.Memory = &m
}
