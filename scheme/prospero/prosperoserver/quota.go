package prosperoserver

import (
	"maps"
	"net/netip"
	"time"

	"locator/internal/hostaddr"
)

// What the server sends to one address: a packet may be forged, and a reply is much longer than the
// request.
const (
	quotaBytes = maxReply // at once: the longest reply
	quotaRate  = 1 << 20  // bytes per second after that
	maxQuotas  = 4096     // addresses
)

// quota is what may still be sent to an address.
type quota struct {
	left float64
	last time.Time
}

// quotas are those of the addresses that packets came from. When there are too many, further
// addresses share one: forged addresses free no other.
type quotas struct {
	of     map[netip.Addr]*quota
	shared quota
	swept  time.Time
}

func newQuotas(now time.Time) *quotas {
	return &quotas{of: make(map[netip.Addr]*quota), shared: quota{quotaBytes, now}, swept: now}
}

// take reports whether a packet of n bytes may be sent to an address. This computer has no quota.
func (q *quotas) take(now time.Time, to netip.Addr, n int) bool {
	if to.Unmap().IsLoopback() {
		return true
	}
	to = hostaddr.NetworkOf(to)
	x := q.of[to]
	if x == nil && len(q.of) >= maxQuotas && now.Sub(q.swept) > time.Second {
		q.swept = now
		maps.DeleteFunc(q.of, func(_ netip.Addr, x *quota) bool { return x.now(now) == quotaBytes })
	}
	switch {
	case x == nil && len(q.of) >= maxQuotas:
		x = &q.shared
	case x == nil:
		x = &quota{quotaBytes, now}
		q.of[to] = x
	}
	x.left, x.last = x.now(now), now
	if x.left < float64(n) {
		return false
	}
	x.left -= float64(n)
	return true
}

// now returns what is left at a time.
func (x *quota) now(at time.Time) float64 {
	return min(quotaBytes, x.left+quotaRate*at.Sub(x.last).Seconds())
}
