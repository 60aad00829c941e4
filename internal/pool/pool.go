// Package pool keeps idle connections by key, for a bounded time.
package pool

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"locator/scheme"
)

// Options limit the connections in a Pool. A zero field means its default.
type Options struct {
	PerKey int           // connections per key; default 4
	Total  int           // connections in total; default 64
	Idle   time.Duration // an idle connection is closed after this long; default 60 s
}

// The defaults are small and short: servers close idle connections anyway.
const (
	defaultPerKey = 4
	defaultTotal  = 64
	defaultIdle   = 60 * time.Second
)

// Pool keeps idle connections by key. A connection is either in the pool or with one holder. It is
// safe for concurrent use.
type Pool struct {
	opt    Options
	mu     sync.Mutex
	idle   map[string][]*kept
	n      int
	closed bool
}

type kept struct {
	c     scheme.Kept
	timer *time.Timer
}

// New returns an empty pool. The caller must Close it.
func New(opt Options) *Pool {
	return &Pool{idle: make(map[string][]*kept), opt: Options{
		PerKey: cmp.Or(opt.PerKey, defaultPerKey), Total: cmp.Or(opt.Total, defaultTotal), Idle: cmp.Or(opt.Idle, defaultIdle),
	}}
}

// Take removes and returns the most recently used connection for key, or nil.
func (p *Pool) Take(key string) scheme.Kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.idle[key]
	if len(list) == 0 {
		return nil
	}
	k := list[len(list)-1]
	p.remove(key, k)
	k.timer.Stop()
	return k.c
}

// Put adds c to the pool, or closes it if the pool is full or closed.
func (p *Pool) Put(key string, c scheme.Kept) {
	p.mu.Lock()
	if p.closed || p.n >= p.opt.Total || len(p.idle[key]) >= p.opt.PerKey {
		p.mu.Unlock()
		c.Close()
		return
	}
	k := &kept{c: c}
	k.timer = time.AfterFunc(p.opt.Idle, func() {
		p.mu.Lock()
		found := p.remove(key, k)
		p.mu.Unlock()
		if found {
			c.Close()
		}
	})
	p.idle[key] = append(p.idle[key], k)
	p.n++
	p.mu.Unlock()
}

// remove removes k and reports whether it was in the pool. The caller holds the lock.
func (p *Pool) remove(key string, k *kept) bool {
	i := slices.Index(p.idle[key], k)
	if i < 0 {
		return false
	}
	if p.idle[key] = slices.Delete(p.idle[key], i, i+1); len(p.idle[key]) == 0 {
		delete(p.idle, key)
	}
	p.n--
	return true
}

// Close closes all idle connections. Connections put later are closed at once.
func (p *Pool) Close() {
	p.mu.Lock()
	all := p.idle
	p.idle, p.n, p.closed = make(map[string][]*kept), 0, true
	p.mu.Unlock()
	for _, list := range all {
		for _, k := range list {
			k.timer.Stop()
			k.c.Close()
		}
	}
}
