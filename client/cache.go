package client

import (
	"sync"
	"time"

	"locator/scheme"
)

// maxCached is the maximum number of cache entries of a client.
const maxCached = 4096

// cache stores facts about servers until they expire.
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

// scopedCache is the part of the cache that one scheme and one principal use.
type scopedCache struct {
	c  *cache
	op *operation
}

// Get implements scheme.Cache.
func (v scopedCache) Get(key string) (any, bool) {
	key = v.op.scopedKey(key)
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
func (v scopedCache) Put(key string, value any, ttl time.Duration) {
	key = v.op.scopedKey(key)
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	if _, there := v.c.m[key]; !there && len(v.c.m) >= maxCached {
		for old := range v.c.m { // evict an arbitrary entry; it can be fetched again
			delete(v.c.m, old)
			break
		}
	}
	v.c.m[key] = cached{value, v.c.clock.Now().Add(ttl)}
}
