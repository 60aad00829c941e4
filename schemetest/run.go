package schemetest

import (
	"slices"
	"testing"
	"time"
)

// Run holds a scheme package to the contract: one sub-test for each duty, each with a server and a client of its own.
//
// It must not be called from a parallel test: it looks for goroutines that are left over, and those of other tests
// would stand among them.
func Run(t *testing.T, h Harness) {
	t.Helper()
	run(realTest{t}, &h, duties(), timing{
		patience: 30 * time.Second,
		stop:     time.Second,
		idle:     400 * time.Millisecond,
		drip:     10 * time.Second,
		settle:   100 * time.Millisecond,
	})
}

func run(t tester, h *Harness, duties []duty, times timing) {
	t.Helper()
	for name := range h.Except {
		if !slices.ContainsFunc(duties, func(d duty) bool { return d.name == name }) {
			t.Errorf("Harness.Except names %q, which is no duty", name)
		}
	}
	for _, d := range duties {
		if reason := h.Except[d.name]; reason != "" {
			t.Logf("not shown: %s: %s", d.name, reason)
			continue
		}
		if d.when != nil && !d.when(h) {
			continue
		}
		t.Run(d.name, func(t tester) {
			s := open(t, h, d, times)
			defer s.end()
			d.check(s)
		})
	}
}

// timing says how long the suite waits. None of it measures speed: each is a bound past which something hangs.
type timing struct {
	patience time.Duration // for what must end at all
	stop     time.Duration // for what must end when the context does
	idle     time.Duration // Limits.Idle where a stall must be noticed
	drip     time.Duration // Limits.Idle where a slow peer must be borne
	settle   time.Duration // without progress for so long, a body has stalled
}

// tester is what the suite needs of a *testing.T. It is an interface so that the suite can be tested: see suite_test.go.
type tester interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Run(name string, f func(tester)) bool
	testing() *testing.T // for Harness.Start
}

// realTest makes a *testing.T a tester.
type realTest struct{ *testing.T }

func (t realTest) testing() *testing.T { return t.T }

func (t realTest) Run(name string, f func(tester)) bool {
	t.Helper()
	return t.T.Run(name, func(t *testing.T) { f(realTest{t}) })
}
