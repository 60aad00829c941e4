package dialogue

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"locator/scheme"
)

// KeepOrOpen takes a connection from the pool, or opens one. Without kept it opens one that does not go into the pool. The caller must call
// release once, and says whether the connection may be used again.
func KeepOrOpen(ctx context.Context, env *scheme.Env, kept bool, key string, open func(context.Context) (scheme.Kept, error)) (c scheme.Kept, reused bool, release func(reuse bool), err error) {
	if kept {
		return env.Keep(ctx, key, open)
	}
	c, err = open(ctx)
	return c, false, func(bool) { c.Close() }, err
}

// Lease is the use of a connection by one operation. The connection is closed if the context of the operation ends before.
type Lease struct {
	unusable *atomic.Bool
	unbind   func() bool
	putBack  func(reuse bool)
	ended    sync.Once
}

// NewLease returns the lease of a connection from [KeepOrOpen]. unusable is set if the connection must not be used again.
func NewLease(ctx context.Context, conn net.Conn, unusable *atomic.Bool, release func(reuse bool)) *Lease {
	return &Lease{unusable: unusable, unbind: scheme.Bind(ctx, conn), putBack: release}
}

// Release ends the lease. The connection goes into the pool if it is usable. Release and Close may be called more than once; the first call
// counts.
func (l *Lease) Release() { l.end(false) }

// Close ends the lease and closes the connection, on which a response may not have been read to its end.
func (l *Lease) Close() error {
	l.end(true)
	return nil
}

// end must not touch the connection a second time: another operation may use it by then.
func (l *Lease) end(broken bool) {
	l.ended.Do(func() {
		if !l.unbind() || broken {
			l.unusable.Store(true)
		}
		l.putBack(!l.unusable.Load())
	})
}
