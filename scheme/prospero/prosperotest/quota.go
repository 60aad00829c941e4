package prosperotest

import (
	"net/netip"
	"time"
)

// What the server sends to one address: a packet may be forged, and a reply is much longer than the request.
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

// quotas are those of the addresses that packets came from.
type quotas map[netip.Addr]*quota

// take reports whether a packet of n bytes may be sent to an address. This computer has no quota.
func (q quotas) take(now time.Time, to netip.Addr, n int) bool {
	if to = to.Unmap().WithZone(""); to.IsLoopback() {
		return true
	}
	x := q[to]
	if x == nil {
		if len(q) >= maxQuotas {
			clear(q)
		}
		x = &quota{quotaBytes, now}
		q[to] = x
	}
	x.left = min(quotaBytes, x.left+quotaRate*now.Sub(x.last).Seconds())
	x.last = now
	if x.left < float64(n) {
		return false
	}
	x.left -= float64(n)
	return true
}
