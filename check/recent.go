package check

import (
	"container/list"
	"context"
	"sync"
)

// Bounds of what a recent keeps.
const (
	maxRecent      = 32 << 10
	maxRecentBytes = 32 << 20
)

// recent keeps the values that were asked for last. The zero value is ready to use. It is safe for
// concurrent use.
type recent[V any] struct {
	mu    sync.Mutex
	order list.List // of *kept[V], the last used first
	byKey map[string]*list.Element
	bytes int // of all values
}

// kept is a value that was asked for, or is being asked for.
type kept[V any] struct {
	key   string
	turn  chan struct{} // holds one element while it is used
	known bool
	v     V
	bytes int // guarded by the mutex of the recent
}

// get returns the value of that key. It calls ask if the value is not known, which also returns how
// many bytes it has; a negative number means that it is not kept. It does not wait for another ask
// of that key longer than ctx.
func (x *recent[V]) get(ctx context.Context, key string, ask func() (V, int)) V {
	k := x.kept(key)
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		v, _ := ask() // it fails, with the right error
		return v
	}
	defer func() { <-k.turn }()
	if k.known {
		return k.v
	}
	v, n := ask()
	if ctx.Err() == nil && n >= 0 {
		k.v, k.known = v, true
		x.grow(k, n)
	}
	return v
}

// peek returns the value of that key if it is known and not being asked for.
func (x *recent[V]) peek(key string) (v V, ok bool) {
	x.mu.Lock()
	e := x.byKey[key]
	x.mu.Unlock()
	if e == nil {
		return v, false
	}
	k := e.Value.(*kept[V])
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
		return k.v, k.known
	default:
		return v, false
	}
}

func (x *recent[V]) kept(key string) *kept[V] {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.byKey[key]; ok {
		x.order.MoveToFront(e)
		return e.Value.(*kept[V])
	}
	if x.byKey == nil {
		x.byKey = make(map[string]*list.Element)
	}
	k := &kept[V]{key: key, turn: make(chan struct{}, 1)}
	x.byKey[key] = x.order.PushFront(k)
	x.shrink()
	return k
}

// grow records the size of a value.
func (x *recent[V]) grow(k *kept[V], n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e := x.byKey[k.key]; e == nil || e.Value != k { // it is not kept any more
		return
	}
	k.bytes = n
	x.bytes += n
	x.shrink()
}

// shrink forgets the values that were not asked for the longest.
func (x *recent[V]) shrink() {
	for x.order.Len() > maxRecent || x.bytes > maxRecentBytes {
		k := x.order.Remove(x.order.Back()).(*kept[V])
		x.bytes -= k.bytes
		delete(x.byKey, k.key)
	}
}
