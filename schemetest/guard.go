package schemetest

import (
	"net/netip"
	"sync"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// guard is a policy that records its calls. It allows everything by default.
type guard struct {
	policy.Standard
	mu        sync.Mutex
	urls      []locator.URL
	addrs     []asked
	noURL     bool // refuse every URL
	addrsLeft int  // with limited: how many more addresses to allow
	limited   bool
}

// asked is a call of Addr.
type asked struct {
	dial scheme.Dial
	addr netip.AddrPort
	urls int // calls of URL before this one
}

// URL implements policy.Policy.
func (g *guard) URL(u locator.URL, _ scheme.Hop) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.urls = append(g.urls, u)
	if g.noURL {
		return scheme.Fail(scheme.CodeRefused, "the suite's policy refuses this URL")
	}
	return nil
}

// Addr implements policy.Policy.
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

// questions returns the calls so far.
func (g *guard) questions() (urls []locator.URL, addrs []asked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append(urls, g.urls...), append(addrs, g.addrs...)
}
