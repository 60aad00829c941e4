package schemetest

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"locator/client"
	"locator/scheme"
)

// tries is how often an operation may stop too late before it is a failure: on a busy machine it
// may be late once, but a scheme that breaks the duty is late each time.
const tries = 3

// trial is one attempt to cancel an operation. do runs it; ready reports that it has started.
type trial struct {
	ready func() bool
	do    func(context.Context) error
}

// stops starts a trial, cancels its context when it is ready, and checks that it returns in time
// with the context's error.
func (s *stage) stops(what string, begin func() trial) {
	s.Helper()
	var late []time.Duration
	for range tries {
		t := begin()
		ctx, cancel := context.WithCancel(s.ctx)
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- t.do(ctx) }()
		if !s.until(s.times.patience, func() bool { return len(done) > 0 || t.ready() }) {
			s.Fatalf("%s: it did not start, so it cannot be cancelled", what)
		}
		if len(done) > 0 {
			s.Fatalf("%s: it ended before its context was cancelled: %v", what, <-done)
		}
		began := time.Now()
		cancel()
		var err error
		select {
		case err = <-done:
		case <-time.After(s.times.patience):
			s.Fatalf("%s: it is still running %v after its context was cancelled", what, s.times.patience)
		}
		if took := time.Since(began); took > s.times.stop {
			late = append(late, took)
			continue
		}
		s.cancelled(what, err)
		if n := s.network.left(s.times.stop); n > 0 {
			s.Errorf("%s: %d connections are open after their context was cancelled", what, n)
		}
		return
	}
	s.Errorf("%s: it stopped too late, %v after its context was cancelled", what, late)
}

func (s *stage) cancelled(what string, err error) {
	s.Helper()
	s.code(what, err, scheme.CodeInterrupted)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Errorf("%s: errors.Is(err, context.Canceled) is false: %v", what, err)
	}
}

// connected returns a function that reports whether the server has a new connection.
func (s *stage) connected() func() bool {
	before := s.server.Connections()
	return func() bool { return s.server.Connections() > before }
}

// settled returns a function that reports whether the counter has grown and then stopped growing.
func (s *stage) settled(n *atomic.Int64) func() bool {
	var last int64
	var since time.Time
	return func() bool {
		if now := n.Load(); now != last || now == 0 {
			last, since = now, time.Now()
			return false
		}
		return time.Since(since) > s.times.settle
	}
}

// Covers: P6
func checkCancelStall(s *stage) {
	s.server.Misbehave(Stall)
	r := scheme.Request{URL: s.url("text.txt")}
	s.stops("access of a server that sends nothing", func() trial {
		c := s.client()
		return trial{s.connected(), func(ctx context.Context) error { return s.talk(ctx, c, r).err }}
	})
	if !lists(s.h) {
		return
	}
	dir := scheme.Request{URL: s.server.URL("")}
	s.stops("list of a server that sends nothing", func() trial {
		c := s.client()
		return trial{s.connected(), func(ctx context.Context) error {
			_, err := s.collect(client.Entries(c.List(ctx, dir, nil)), nil)
			return err
		}}
	})
}

// Covers: P6
func checkCancelBody(s *stage) {
	s.server.Misbehave(StallBody)
	r := scheme.Request{URL: s.url("big.bin")}
	s.stops("a body that has stalled", func() trial {
		c := s.client()
		var n atomic.Int64
		return trial{s.settled(&n), func(ctx context.Context) error { return s.readAll(ctx, c, r, &n) }}
	})
}

// readAll reads a Body or a Session to its end.
func (s *stage) readAll(ctx context.Context, c *client.Client, r scheme.Request, n *atomic.Int64) error {
	res, err := c.Access(ctx, r, nil)
	if err != nil {
		return err
	}
	defer res.Close()
	out := &counter{io.Discard, func(k int) { n.Add(int64(k)) }}
	switch {
	case res.Session != nil:
		_, err = io.Copy(out, res.Session)
	default:
		_, err = io.Copy(out, res.Body)
	}
	return err
}

// Covers: P6
func checkCancelList(s *stage) {
	s.server.Misbehave(EndlessList)
	r := scheme.Request{URL: s.server.URL("")}
	s.stops("a listing without an end", func() trial {
		c := s.client()
		var n atomic.Int64
		ready := func() bool { return n.Load() >= 10 }
		return trial{ready, func(ctx context.Context) error {
			// The entries are not collected, since there may be many.
			for _, err := range client.Entries(c.List(ctx, r, nil)) {
				if err != nil {
					return err
				}
				n.Add(1)
			}
			return nil
		}}
	})
}

// cancelling is a scheme that cancels the context of an access before the access begins. The client
// itself does not call a scheme with a cancelled context.
type cancelling struct {
	scheme.Scheme
	cancel func()
}

func (c cancelling) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c.cancel()
	return c.Scheme.Access(ctx, env, r, o)
}

// checkCancelBefore starts an access with a cancelled context.
func checkCancelBefore(s *stage) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	c := s.client(func(o *client.Options) { o.Registry = scheme.NewRegistry(cancelling{s.h.Scheme, cancel}) })
	t := s.take(ctx, c, scheme.Request{URL: s.url("big.bin")})
	if t.err == nil && (t.res.Kind == scheme.KindObject || t.res.Entries != nil || t.res.Session != nil) {
		s.Errorf("access with a cancelled context succeeds with %d bytes", len(t.body))
	}
	if t.err != nil {
		s.cancelled("access with a cancelled context", t.err)
	}
	if n := s.network.connections(); n > 0 {
		s.Errorf("access with a cancelled context makes %d connections", n)
	}
}

// checkBodyAfterCancel continues to read after the context was cancelled. Buffered data may arrive,
// but not the end.
func checkBodyAfterCancel(s *stage) {
	u, content := s.file("big.bin")
	c := s.client()
	for range tries {
		var err error
		s.within(s.times.patience, "reading after the context was cancelled", func() {
			ctx, cancel := context.WithCancel(s.ctx)
			defer cancel()
			var res *scheme.Resource
			if res, err = c.Access(ctx, scheme.Request{URL: u}, nil); err != nil {
				return
			}
			defer res.Close()
			if _, err = io.ReadFull(res.Body, make([]byte, 100)); err != nil {
				return
			}
			cancel()
			time.Sleep(s.times.settle)
			_, err = io.Copy(io.Discard, res.Body)
		})
		if err != nil {
			s.cancelled("reading after the context was cancelled", err)
			return
		}
	}
	s.Errorf("all %d bytes of the body were read after the context of Access was cancelled", len(content))
}
