package dialogue

import (
	"context"
	"sync"

	"locator/scheme"
)

// Kept is a type that embeds a *Conn.
type Kept interface {
	scheme.Kept
	Base() *Conn
}

// Acquire takes a connection from the pool, or opens one with dial and begins its dialogue with begin. Without kept it opens one that does not
// go into the pool. reused reports that the connection came from the pool.
func Acquire[C Kept](ctx context.Context, env *scheme.Env, kept bool, key string, dial func(context.Context) (C, error), begin func(context.Context, C) error) (c C, reused bool, l *Lease, err error) {
	open := func(ctx context.Context) (scheme.Kept, error) {
		c, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		defer scheme.Bind(ctx, c.Base().Raw)()
		if err := begin(ctx, c); err != nil {
			c.Base().Unusable.Store(true)
			c.Close()
			return nil, err
		}
		return c, nil
	}
	var k scheme.Kept
	var release func(bool)
	if kept {
		k, reused, release, err = env.Keep(ctx, key, open)
	} else if k, err = open(ctx); err == nil {
		release = func(bool) { k.Close() }
	}
	if err != nil {
		return c, false, nil, err
	}
	c = k.(C)
	if reused {
		c.Base().reuse(env)
	}
	return c, reused, NewLease(ctx, c.Base(), release), nil
}

// Lease is the use of a connection by one operation. The connection is closed if the context of the operation ends before.
type Lease struct {
	conn    *Conn
	unbind  func() bool
	putBack func(reuse bool)
	ended   sync.Once
}

// NewLease returns the lease of a connection. release is called once, and says whether the connection may be used again.
func NewLease(ctx context.Context, c *Conn, release func(reuse bool)) *Lease {
	return &Lease{conn: c, unbind: scheme.Bind(ctx, c.Raw), putBack: release}
}

// Unbind keeps the connection open after the end of the context, until Rebind is called.
func (l *Lease) Unbind() { l.unbind() }

// Rebind undoes Unbind.
func (l *Lease) Rebind(ctx context.Context) { l.unbind = scheme.Bind(ctx, l.conn.Raw) }

// Release ends the lease. The connection goes into the pool if it is usable. Release, Discard and Close may be called more than once; the
// first call counts.
func (l *Lease) Release() { l.end(false, true) }

// Discard ends the lease and closes the connection, by QUIT if it is usable.
func (l *Lease) Discard() { l.end(false, false) }

// Close ends the lease and closes the connection, on which a response may not have been read to its end.
func (l *Lease) Close() error {
	l.end(true, false)
	return nil
}

// end must not touch the connection a second time: another operation may use it by then.
func (l *Lease) end(broken, reuse bool) {
	l.ended.Do(func() {
		if !l.unbind() || broken {
			l.conn.Unusable.Store(true)
		}
		l.putBack(reuse && !l.conn.Unusable.Load())
	})
}
