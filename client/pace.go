package client

import (
	"net/netip"
	"sync"
)

// paces are those of the peers that were dialled for a dialogue, by address: data connections live too short to learn it.
type paces struct {
	mu sync.Mutex
	m  map[netip.Addr]*pace
}

// maxPaces bounds how many are remembered.
const maxPaces = 1000

func (p *paces) of(a netip.Addr) *pace {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.m[a]
	if known == nil {
		if p.m == nil || len(p.m) >= maxPaces {
			p.m = make(map[netip.Addr]*pace)
		}
		known = new(pace)
		p.m[a] = known
	}
	return known
}
