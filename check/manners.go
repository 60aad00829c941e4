package check

import (
	"context"
	"maps"
	"net/netip"
	"strings"
	"sync"
	"time"

	"locator/scheme"
)

// The default manners. They do not hold for loopback addresses.
const (
	DefaultPerHost  = 2
	DefaultInterval = 200 * time.Millisecond
)

// Bounds of how long a host is left alone.
const (
	firstBackOff = time.Second
	maxBackOff   = time.Minute
	// maxRefusals is how often in a row a host may ask for fewer requests.
	maxRefusals = 6
	// deadAfter is how many URLs of a host fail in a row because nothing answers there before its
	// others wait for the end of the run.
	deadAfter = 3
	// forgetAfter is how long it is known what a machine, or a request of an earlier turn, said.
	forgetAfter = 2 * MaxWait
	// manyKept is how many are kept before some are forgotten.
	manyKept = 1024
)

// Manners are the limits for a host. The zero value means the defaults.
type Manners struct {
	PerHost  int           // most connections at once
	Interval time.Duration // least time between the starts of two requests; negative means none
}

// of returns the limits for a host, which defaults are not for if it is this machine.
func (m Manners) of(host string, parallel int) Manners {
	local := isLoopback(host)
	if m.PerHost <= 0 {
		m.PerHost = DefaultPerHost
		if local {
			m.PerHost = parallel
		}
	}
	if m.Interval == 0 && !local {
		m.Interval = DefaultInterval
	}
	m.Interval = max(m.Interval, 0)
	return m
}

// manners returns the limits for a host.
func (c *Checker) manners(host string, parallel int) Manners {
	var m Manners
	if c.Manners != nil {
		m = c.Manners(host)
	}
	return m.of(host, parallel)
}

// Pause waits until a host may be asked for more than a check of a Worker asks for. It fails if ctx
// ends.
func (c *Checker) Pause(ctx context.Context, host string) error {
	m := c.paces.get(ctx, host, func() (*machine, int) { return &machine{manners: c.manners(host, 0)}, 0 })
	m.pause(ctx, c.clock())
	return ctx.Err()
}

func isLoopback(host string) bool {
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// machine is what the hosts with one address share. It is safe for concurrent use.
type machine struct {
	mu      sync.Mutex
	manners Manners // of the request that began last
	active  int
	last    time.Time // when a request began
	next    time.Time // no request before
	asked   bool      // because the server asked for that
	backOff time.Duration
	refused int  // in a row
	unknown bool // no request has ended yet
	slow    bool // the last one took longer than lendAfter
	rules   *rules
}

// begin begins a request with the limits of its run if that is allowed now; else it returns when to
// ask again, zero if that is when another request ends.
func (m *machine) begin(now time.Time, limits Manners) (ok bool, again time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.next.After(now):
		return false, m.next
	case m.last.Add(limits.Interval).After(now):
		return false, m.last.Add(limits.Interval)
	case m.active >= limits.PerHost, m.unknown && m.active > 0: // the first shows which machine it is
		return false, time.Time{}
	}
	m.active++
	m.manners, m.last = limits, now
	m.next, m.asked = now.Add(limits.Interval), false
	return true, m.next
}

// busyPoll is when to ask again for a place at a machine whose places may be held elsewhere.
const busyPoll = 20 * time.Millisecond

// end ends a request, and returns until when the machine is to be left alone; zero if it is not. It
// slows down for a machine that asks for fewer requests.
func (m *machine) end(a *attempt, now time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active--
	m.unknown, m.slow = false, a.result.MS >= lendAfter.Milliseconds()
	if !a.limited && !a.busy && a.wait <= 0 {
		if a.err == nil {
			m.refused, m.backOff = 0, 0
		}
		return time.Time{}
	}
	if a.limited || a.wait > 0 {
		m.refused++
		m.backOff = min(max(2*m.backOff, firstBackOff), maxBackOff)
	}
	if until := now.Add(max(a.wait, m.backOff, firstBackOff)); until.After(m.next) {
		m.next, m.asked = until, true
	}
	return m.next
}

// lend returns after what time a request gives its place to another.
func (m *machine) lend() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.unknown:
		return lendUnknown
	case m.slow:
		return lendSlow
	}
	return lendAfter
}

// exhausted reports whether waiting for the machine is of no use: its server asks to wait too long, or
// has refused too often, which is forgotten after as long a time.
func (m *machine) exhausted(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refused >= maxRefusals && now.Sub(m.next) > MaxWait {
		m.refused, m.backOff = 0, 0
	}
	return m.refused >= maxRefusals || m.asked && m.next.Sub(now) > MaxWait
}

// machines finds the machine of a host.
type machines struct {
	parallel int
	rules    func() *rules
	mu       sync.Mutex
	byHost   map[string]*machine
	byAddr   map[string]*machine
	most     int // hosts before some are forgotten
}

// of returns the machine of a host; as long as its address is unknown, one of its own.
func (x *machines) of(host string, c *Checker) *machine {
	x.mu.Lock()
	defer x.mu.Unlock()
	m, ok := x.byHost[host]
	if !ok {
		if len(x.byHost) >= max(x.most, manyKept) {
			x.forget(c.now())
		}
		l := c.manners(host, x.parallel)
		m = &machine{manners: l, unknown: l.PerHost < x.parallel, rules: x.rules(), next: c.now()}
		x.byHost[host] = m
	}
	return m
}

// forget forgets the machines that were not asked for some time, and may be asked.
func (x *machines) forget(now time.Time) {
	old := func(_ string, m *machine) bool { return m.idle(now) }
	maps.DeleteFunc(x.byHost, old)
	maps.DeleteFunc(x.byAddr, old)
	x.most = 2 * len(x.byHost)
}

// pause waits until one more request may be sent for an attempt that has begun.
func (m *machine) pause(ctx context.Context, clock scheme.Clock) {
	m.mu.Lock()
	now := clock.Now()
	at := now
	if m.next.After(at) {
		at = m.next
	}
	m.last, m.next = at, at.Add(m.manners.Interval)
	m.mu.Unlock()
	if at == now {
		return
	}
	timer, stop := clock.NewTimer(at.Sub(now))
	defer stop()
	select {
	case <-timer:
	case <-ctx.Done():
	}
}

// idle reports whether the machine was not asked for some time, and may be asked.
func (m *machine) idle(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.active == 0 && now.Sub(m.next) > forgetAfter
}

// found records the address of a host.
func (x *machines) found(host, addr string) {
	if addr == "" {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if m, ok := x.byAddr[addr]; ok {
		x.byHost[host] = m
		return
	}
	if m := x.byHost[host]; m != nil {
		x.byAddr[addr] = m
	}
}

// leave leaves the machine alone until a time, for which its server asked or not.
func (m *machine) leave(until time.Time, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if until.After(m.next) {
		m.next, m.asked = until, asked
	}
}

// after returns when the machine may be asked again by a run with these limits, and whether its
// server asked for that.
func (m *machine) after(limits Manners) (next time.Time, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if own := m.last.Add(limits.Interval); own.After(m.next) {
		return own, false
	}
	return m.next, m.asked
}
