package client

import (
	"context"
	"io"
	"net"
	"sync"
	"time"
)

// Idle things are few and do not live long: servers drop them anyway.
const (
	maxIdlePerKey = 4
	maxIdle       = 64
	maxIdleTime   = 60 * time.Second
)

// pool holds idle things by key. A thing is either in the pool or with one holder.
type pool struct {
	mu     sync.Mutex
	idle   map[string][]*kept
	n      int
	closed bool
}

type kept struct {
	c     io.Closer
	timer *time.Timer
}

func newPool() *pool { return &pool{idle: make(map[string][]*kept)} }

// take removes the thing of that key that was used last.
func (p *pool) take(key string) io.Closer {
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
func (p *pool) put(key string, c io.Closer) {
	p.mu.Lock()
	if p.closed || p.n >= maxIdle || len(p.idle[key]) >= maxIdlePerKey {
		p.mu.Unlock()
		c.Close()
		return
	}
	k := &kept{c: c}
	k.timer = time.AfterFunc(maxIdleTime, func() {
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
func (op *operation) keep(ctx context.Context, key string, open func(context.Context) (io.Closer, error)) (io.Closer, bool, func(bool), error) {
	p := op.c.pool
	key = op.r.URL.Scheme() + " " + key
	if op.hop.FromPublic { // what policy allowed for others it may refuse here
		key = "from public " + key
	}
	c, reused := p.take(key), true
	if r, ok := c.(interface{ RemoteAddr() net.Addr }); ok {
		if err := op.keepPolicy(r.RemoteAddr()); err != nil {
			c.Close()
			return nil, false, nil, err
		}
	}
	if c == nil {
		var err error
		if c, err = open(ctx); err != nil {
			return nil, false, nil, err
		}
		reused = false
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
