package check

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// step is one call to a machine.
type step struct {
	after time.Duration // since the step before
	end   *attempt      // of a request that ends; nil begins one
	ok    bool          // it may begin, or the machine is exhausted after the end
	wait  time.Duration // until the machine is asked again; of an end 0 if it is not left alone
}

// A machine has few requests at once, the first of all alone, and is left alone when and as long as
// it asks for that, but not without end.
func TestMachine(t *testing.T) {
	t.Parallel()
	fine, failed := &attempt{}, &attempt{err: errors.New("reset")}
	limited, busy := &attempt{err: errors.New("429"), limited: true}, &attempt{err: errors.New("503"), busy: true}
	waits := func(d time.Duration) *attempt {
		return &attempt{result: new(Result), err: errors.New("503"), busy: true, wait: d}
	}
	const interval = 100 * time.Millisecond
	for _, a := range []*attempt{fine, failed, limited, busy} {
		a.result = new(Result)
	}
	for _, tt := range []struct {
		name    string
		unknown bool
		steps   []step
	}{
		{"two at once", false, []step{{0, nil, true, interval}, {interval, nil, true, interval}, {interval, nil, false, 0}, {0, fine, false, 0}, {0, nil, true, interval}}},
		{"interval", false, []step{{0, nil, true, interval}, {interval / 2, nil, false, interval / 2}}},
		{"unknown", true, []step{{0, nil, true, interval}, {interval, nil, false, 0}, {0, fine, false, 0}, {0, nil, true, interval}, {interval, nil, true, interval}}},
		{"back off", false, []step{
			{0, nil, true, interval}, {0, limited, false, time.Second}, {time.Second, nil, true, interval}, {0, limited, false, 2 * time.Second},
			{2 * time.Second, nil, true, interval}, {0, fine, false, 0}, {interval, nil, true, interval}, {0, limited, false, time.Second},
		}},
		{"a failure ends no back-off", false, []step{
			{0, nil, true, interval}, {0, limited, false, time.Second}, {time.Second, nil, true, interval}, {0, failed, false, 0}, {interval, nil, true, interval},
			{0, limited, false, 2 * time.Second},
		}},
		{"busy", false, []step{{0, nil, true, interval}, {0, busy, false, time.Second}, {time.Second, nil, true, interval}, {0, busy, false, time.Second}}},
		{"asks to wait", false, []step{{0, nil, true, interval}, {0, waits(90 * time.Second), false, 90 * time.Second}, {time.Second, nil, false, 89 * time.Second}}},
		{"asks to wait less than before", false, []step{
			{0, nil, true, interval}, {interval, nil, true, interval}, {0, waits(time.Minute), false, time.Minute}, {0, waits(time.Second), false, time.Minute},
		}},
		{"asks to wait too long", false, []step{{0, nil, true, interval}, {0, waits(MaxWait), false, MaxWait}, {MaxWait, nil, true, interval}, {0, waits(MaxWait + 1), true, MaxWait + 1}}},
		{"refuses too often", false, []step{
			{0, nil, true, interval}, {0, limited, false, time.Second}, {time.Hour, nil, true, interval}, {0, limited, false, 2 * time.Second},
			{time.Hour, nil, true, interval}, {0, limited, false, 4 * time.Second}, {time.Hour, nil, true, interval}, {0, limited, false, 8 * time.Second},
			{time.Hour, nil, true, interval}, {0, limited, false, 16 * time.Second}, {time.Hour, nil, true, interval}, {0, limited, true, 32 * time.Second},
			{time.Hour, nil, true, interval}, {0, limited, true, maxBackOff}, {time.Hour, nil, true, interval}, {0, limited, true, maxBackOff},
			{time.Hour, nil, true, interval}, {0, fine, false, 0},
		}},
	} {
		m := &machine{unknown: tt.unknown}
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for i, s := range tt.steps {
			now = now.Add(s.after)
			var ok bool
			var again time.Time
			if s.end == nil {
				ok, again = m.begin(now, Manners{PerHost: 2, Interval: interval})
			} else {
				again = m.end(s.end, now)
				ok = m.exhausted(now)
			}
			wait := again.Sub(now)
			if again.IsZero() {
				wait = 0
			}
			if ok != s.ok || wait != s.wait {
				t.Errorf("%s, step %d: %t, %v; want %t, %v", tt.name, i+1, ok, wait, s.ok, s.wait)
			}
		}
	}
}

// The requests of two runs to one machine keep the limits of their own run.
func TestMachineOfTwoRuns(t *testing.T) {
	t.Parallel()
	fast, slow := Manners{PerHost: 2, Interval: time.Second}, Manners{PerHost: 1, Interval: 10 * time.Second}
	m, begun := new(machine), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		after time.Duration // since the beginning
		of    Manners
		ok    bool
		again time.Duration
	}{{0, fast, true, time.Second}, {time.Second, slow, false, 10 * time.Second}, {time.Second, fast, true, 2 * time.Second}, {11 * time.Second, slow, false, 0}} {
		ok, again := m.begin(begun.Add(x.after), x.of)
		if want := begun.Add(x.again); ok != x.ok || !again.Equal(want) && !(x.again == 0 && again.IsZero()) {
			t.Errorf("after %v: %t, %v; want %t, %v", x.after, ok, again, x.ok, want)
		}
	}
	m.active = 0
	if ok, _ := m.begin(begun.Add(11*time.Second), slow); !ok {
		t.Error("the slow run may not begin")
	}
	if ok, again := m.begin(begun.Add(12*time.Second), fast); ok || again != begun.Add(21*time.Second) {
		t.Errorf("%t, %v: the machine was not left alone for the slow run", ok, again)
	}
}

// A machine is not asked earlier because a bucket knows of an earlier time.
func TestLeave(t *testing.T) {
	t.Parallel()
	m, now := new(machine), time.Now()
	for _, d := range []time.Duration{time.Minute, time.Second} {
		m.leave(now.Add(d), false)
	}
	next, _ := m.after(Manners{})
	if got := next.Sub(now); got != time.Minute {
		t.Errorf("left alone for %v, want a minute", got)
	}
}

// Hosts with one address are one machine once that is known.
func TestMachines(t *testing.T) {
	t.Parallel()
	x := machines{
		parallel: 8, rules: func() *rules { return nil }, byHost: make(map[string]*machine),
		byAddr: make(map[string]*machine),
	}
	hosts := []string{"a.example", "b.example", "c.example", "d.example"}
	for _, host := range hosts {
		x.of(host, new(Checker))
	}
	for i, addr := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2", ""} {
		x.found(hosts[i], addr)
	}
	seen := make(map[*machine]string)
	for _, host := range append(hosts, "e.example") {
		m := x.of(host, new(Checker))
		if other := seen[m]; other != "" && other+host != "a.exampleb.example" {
			t.Errorf("%s and %s are one machine", other, host)
		}
		seen[m] = host
		if !m.unknown {
			t.Errorf("%s may get several first requests at once", host)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d machines, want 4", len(seen))
	}
}

// A worker that runs for long forgets hosts that were not asked for some time, but none that is
// asked or wants to be left alone.
func TestForgetMachines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := new(Checker)
		x := machines{parallel: 8, rules: func() *rules { return nil }, byHost: make(map[string]*machine), byAddr: make(map[string]*machine)}
		busy, left := x.of("busy.example", c), x.of("left.example", c)
		busy.begin(c.now(), Manners{PerHost: 1})
		left.leave(c.now().Add(time.Hour), true)
		for i := range 100 * manyKept {
			if i%manyKept == 0 {
				time.Sleep(forgetAfter / 2)
			}
			host := fmt.Sprintf("h%d.example", i)
			x.of(host, c)
			x.found(host, host)
			if i < manyKept && x.of("busy.example", c) != busy {
				t.Fatal("a host was forgotten while it was asked")
			}
			if i < 4*manyKept && x.of("left.example", c) != left {
				t.Fatal("a host was forgotten while it is left alone")
			}
		}
		if n := max(len(x.byHost), len(x.byAddr)); n > 8*manyKept {
			t.Errorf("%d hosts are kept", n)
		}
	})
}
