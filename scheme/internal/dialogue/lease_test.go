package dialogue

import (
	"context"
	"net"
	"testing"
)

// Only the first end of a lease counts: afterwards the connection may belong to another operation.
func TestLease(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end   func(*Lease)
		reuse bool
	}{
		"release":          {func(l *Lease) { l.Release() }, true},
		"close":            {func(l *Lease) { l.Close() }, false},
		"release, release": {func(l *Lease) { l.Release(); l.Release() }, true},
		"release, close":   {func(l *Lease) { l.Release(); l.Close() }, true},
		"close, release":   {func(l *Lease) { l.Close(); l.Release() }, false},
	} {
		conn, other := net.Pipe()
		defer conn.Close()
		defer other.Close()
		d := &Conn{Raw: conn}
		var reuse []bool
		l := NewLease(t.Context(), d, func(r bool) { reuse = append(reuse, r) })
		c.end(l)
		if len(reuse) != 1 || reuse[0] != c.reuse || d.Unusable.Load() == c.reuse {
			t.Errorf("%s: put back with %v, unusable %v; want %v once", name, reuse, d.Unusable.Load(), c.reuse)
		}
	}
	conn, other := net.Pipe()
	defer other.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := NewLease(ctx, &Conn{Raw: conn}, func(reuse bool) {
		if reuse {
			t.Error("a connection is used again though its context had ended")
		}
	})
	l.Release()
}
