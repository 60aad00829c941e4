package schemetest

import (
	"net/netip"
	"sync"

	"locator"
	"locator/scheme"
)

// guard is a policy that allows everything, unless told otherwise, and remembers what it was asked.
type guard struct {
	mu        sync.Mutex
	urls      []locator.URL
	addrs     []asked
	noURL     bool // refuse every URL
	addrsLeft int  // with limited: allow so many addresses
	limited   bool
}

// asked is a question about an address.
type asked struct {
	dial scheme.Dial
	addr netip.AddrPort
	urls int // questions about URLs before this one
}

// URL follows policy.Policy.
func (g *guard) URL(u locator.URL, _ scheme.Hop) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.urls = append(g.urls, u)
	if g.noURL {
		return scheme.Fail(scheme.CodeRefused, "the suite's policy refuses this URL")
	}
	return nil
}

// Addr follows policy.Policy.
func (g *guard) Addr(d scheme.Dial, a netip.AddrPort) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.addrs = append(g.addrs, asked{d, a, len(g.urls)})
	if g.limited {
		if g.addrsLeft == 0 {
			return scheme.Fail(scheme.CodeRefused, "the suite's policy refuses the address %v", a)
		}
		g.addrsLeft--
	}
	return nil
}

// questions gives what was asked so far.
func (g *guard) questions() (urls []locator.URL, addrs []asked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append(urls, g.urls...), append(addrs, g.addrs...)
}
