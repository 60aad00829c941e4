package client

import (
	"sync"
	"time"

	"locator/scheme"
)

// maxCached bounds the facts that a client remembers about servers.
const maxCached = 4096

// cache remembers facts about servers until they expire.
type cache struct {
	clock scheme.Clock
	mu    sync.Mutex
	m     map[string]cached
}

type cached struct {
	value   any
	expires time.Time
}

func newCache(clock scheme.Clock) *cache { return &cache{clock: clock, m: make(map[string]cached)} }

// cacheOf is the part of the cache that belongs to one scheme and one principal.
type cacheOf struct {
	c  *cache
	op *operation
}

// Get implements scheme.Cache.
func (v cacheOf) Get(key string) (any, bool) {
	key = v.op.ownKey(key)
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	e, ok := v.c.m[key]
	if ok && !v.c.clock.Now().Before(e.expires) {
		delete(v.c.m, key)
		return nil, false
	}
	return e.value, ok
}

// Put implements scheme.Cache.
func (v cacheOf) Put(key string, value any, ttl time.Duration) {
	key = v.op.ownKey(key)
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	if _, there := v.c.m[key]; !there && len(v.c.m) >= maxCached {
		for old := range v.c.m { // any one: the map is full, and a fact can be asked for again
			delete(v.c.m, old)
			break
		}
	}
	v.c.m[key] = cached{value, v.c.clock.Now().Add(ttl)}
}
