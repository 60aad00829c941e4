package dialogue

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"locator/scheme"
	"locator/wire"
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
		"rebind, release":  {func(l *Lease) { l.Unbind(); l.Rebind(context.Background()); l.Release() }, true},
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
	for _, end := range []func(*Lease){func(l *Lease) { l.Discard(); l.Release() }, func(l *Lease) { l.conn.Unusable.Store(true); l.Release() }} {
		conn, other := net.Pipe()
		defer conn.Close()
		defer other.Close()
		calls := 0
		end(NewLease(t.Context(), &Conn{Raw: conn}, func(reuse bool) {
			if calls++; reuse {
				t.Error("a connection that was discarded or is unusable goes into the pool")
			}
		}))
		if calls != 1 {
			t.Errorf("released %d times", calls)
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

// kept is a connection with more state than a Conn.
type kept struct{ *Conn }

// Acquire begins the dialogue of a new connection once. One that does not begin is closed, and one
// that does not go into the pool is closed at the end.
func TestAcquire(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, test := range []struct {
		name         string
		kept, pooled bool  // it may come from the pool, and does
		dial, begin  error // the errors of the two functions
		begun        int
		reuse        []bool // what is returned to the pool
		closed       bool   // after Release
	}{
		{name: "new", kept: true, begun: 1, reuse: []bool{true}},
		{name: "pooled", kept: true, pooled: true, reuse: []bool{true}},
		{name: "not kept", begun: 1, closed: true},
		{name: "not kept, though there is one", pooled: true, begun: 1, closed: true},
		{name: "not dialled", kept: true, dial: refused},
		{name: "not begun", kept: true, begin: refused, begun: 1, closed: true},
		{name: "not kept, not begun", begin: refused, begun: 1, closed: true},
	} {
		here, there := net.Pipe()
		defer there.Close()
		begun, reuse := 0, []bool(nil)
		env := &scheme.Env{Limits: scheme.Limits{Header: 77}, Keep: func(ctx context.Context, key string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
			if key != "key" {
				t.Errorf("%s: key %q", test.name, key)
			}
			release := func(r bool) { reuse = append(reuse, r) }
			if test.pooled {
				return kept{&Conn{Raw: here, Wire: wire.NewConn(here, wire.Options{})}}, true, release, nil
			}
			c, err := open(ctx)
			return c, false, release, err
		}}
		dial := func(context.Context) (kept, error) {
			return kept{&Conn{Raw: here, Wire: wire.NewConn(here, wire.Options{}), Max: 1}}, test.dial
		}
		begin := func(context.Context, kept) error { begun++; return test.begin }
		c, reused, l, err := Acquire(t.Context(), env, test.kept, "key", dial, begin)
		if want := cmp.Or(test.dial, test.begin); err != want || reused != (test.pooled && test.kept) || begun != test.begun {
			t.Errorf("%s: reused %v, begun %d, %v; want %v", test.name, reused, begun, err, want)
		}
		if err == nil {
			if c.Untested != reused || reused && c.Max != 77 {
				t.Errorf("%s: untested %v, %d bytes", test.name, c.Untested, c.Max)
			}
			l.Release()
		}
		if !slices.Equal(reuse, test.reuse) {
			t.Errorf("%s: returned to the pool %v, want %v", test.name, reuse, test.reuse)
		}
		here.SetWriteDeadline(time.Now().Add(time.Millisecond))
		if _, err := here.Write([]byte("x")); errors.Is(err, io.ErrClosedPipe) != test.closed {
			t.Errorf("%s: closed: %v, want %v", test.name, err, test.closed)
		}
		here.Close()
	}
}

// The end of the context closes the connection, also while its dialogue begins, but not between
// Unbind and Rebind.
func TestLeaseBinds(t *testing.T) {
	t.Parallel()
	isOpen := func(there net.Conn) bool {
		there.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		_, err := there.Read(make([]byte, 1))
		return errors.Is(err, os.ErrDeadlineExceeded)
	}
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	l := NewLease(ctx, &Conn{Raw: here}, func(bool) {})
	l.Unbind()
	if cancel(); !isOpen(there) {
		t.Error("Unbind: the connection was closed")
	}
	if l.Rebind(ctx); isOpen(there) {
		t.Error("Rebind: the connection is open")
	}
	here, there = net.Pipe()
	ctx, cancel = context.WithCancel(t.Context())
	dial := func(context.Context) (kept, error) {
		return kept{&Conn{Raw: here, Wire: wire.NewConn(here, wire.Options{})}}, nil
	}
	_, _, _, err := Acquire(ctx, &scheme.Env{}, false, "", dial, func(ctx context.Context, c kept) error {
		if cancel(); isOpen(there) {
			t.Error("begin: the connection is open")
		}
		return ctx.Err()
	})
	if err != context.Canceled {
		t.Error(err)
	}
}

// A dialogue that did not begin does not end by QUIT.
func TestAcquireNoQuit(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	got := make(chan string)
	go func() {
		b, _ := io.ReadAll(there)
		got <- string(b)
	}()
	dial := func(context.Context) (kept, error) {
		return kept{&Conn{Protocol: Protocol{Quit: true}, Raw: here, Wire: wire.NewConn(here, wire.Options{MaxLine: 99})}}, nil
	}
	_, _, _, err := Acquire(t.Context(), &scheme.Env{}, false, "", dial, func(context.Context, kept) error { return io.ErrUnexpectedEOF })
	if sent := <-got; sent != "" || err != io.ErrUnexpectedEOF {
		t.Errorf("sent %q, %v", sent, err)
	}
}
