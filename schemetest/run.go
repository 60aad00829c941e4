package schemetest

import (
	"slices"
	"testing"
	"time"
)

// Run tests a scheme package against the contract. Each duty is a subtest with its own server and
// client.
//
// Do not call it from a parallel test: it checks for leaked goroutines, and would report those of
// other tests.
func Run(t *testing.T, h Harness) {
	t.Helper()
	run(realTest{t}, &h, duties(), timing{
		patience: 2 * time.Minute, // a server that starts a process for each connection is slow on a busy machine
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
			t.Errorf("Harness.Except contains %q, which is not a duty", name)
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

// timing has the timeouts of the suite. They detect hangs and do not measure speed.
type timing struct {
	patience time.Duration // timeout of any operation
	stop     time.Duration // timeout after the context is cancelled
	idle     time.Duration // Limits.Idle in tests of stalls
	drip     time.Duration // Limits.Idle in tests of slow servers
	settle   time.Duration // a body without progress for this long has stalled
}

// tester is the part of *testing.T that the suite uses. It is an interface for the tests of the
// suite (suite_test.go).
type tester interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Run(name string, f func(tester)) bool
	testing() *testing.T // for Harness.Start
}

// realTest implements tester with a *testing.T.
type realTest struct{ *testing.T }

func (t realTest) testing() *testing.T { return t.T }

func (t realTest) Run(name string, f func(tester)) bool {
	t.Helper()
	return t.T.Run(name, func(t *testing.T) { f(realTest{t}) })
}
