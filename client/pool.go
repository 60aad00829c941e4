package client

import (
	"cmp"
	"context"
	"sync"
	"time"

	"locator/scheme"
)

// The default bounds are small and short: servers close idle connections anyway.
const (
	defaultPerKey   = 4
	defaultTotal    = 64
	defaultIdleTime = 60 * time.Second
)

// pool holds idle values by key. A value is either in the pool or with one holder.
type pool struct {
	opt    PoolOptions
	mu     sync.Mutex
	idle   map[string][]*kept
	n      int
	closed bool
}

type kept struct {
	c     scheme.Kept
	timer *time.Timer
}

func newPool(opt PoolOptions) *pool {
	return &pool{idle: make(map[string][]*kept), opt: PoolOptions{
		PerKey: cmp.Or(opt.PerKey, defaultPerKey), Total: cmp.Or(opt.Total, defaultTotal), Idle: cmp.Or(opt.Idle, defaultIdleTime),
	}}
}

// take removes the thing of that key that was used last.
func (p *pool) take(key string) scheme.Kept {
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

// put keeps c for a while, or closes it.
func (p *pool) put(key string, c scheme.Kept) {
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

// remove takes k out; the caller holds the lock.
func (p *pool) remove(key string, k *kept) bool {
	list := p.idle[key]
	for i, x := range list {
		if x == k {
			list = append(list[:i], list[i+1:]...)
			if len(list) == 0 {
				delete(p.idle, key)
			} else {
				p.idle[key] = list
			}
			p.n--
			return true
		}
	}
	return false
}

func (p *pool) close() {
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

// keep is Env.Keep.
func (op *operation) keep(ctx context.Context, key string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
	if op.ended.Load() {
		return nil, false, nil, errEnded
	}
	p := op.c.pool
	key = op.ownKey(key)
	c := p.take(key)
	reused := c != nil
	if reused {
		if err := op.keepPolicy(c.RemoteAddr()); err != nil {
			c.Close()
			return nil, false, nil, err
		}
	}
	if c == nil {
		var err error
		if c, err = open(ctx); err != nil {
			return nil, false, nil, err
		}
	}
	var once sync.Once
	release := func(reuse bool) {
		once.Do(func() {
			if reuse {
				p.put(key, c)
			} else {
				c.Close()
			}
		})
	}
	return c, reused, release, nil
}
