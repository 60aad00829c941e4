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

// tries is how often something may be too late before it counts: a machine may be busy, a duty that is broken is late
// each time.
const tries = 3

// trial is one try to stop something: ready says that it is under way, do is what must stop with the context.
type trial struct {
	ready func() bool
	do    func(context.Context) error
}

// stops begins a trial, ends its context when it is under way, and wants it to return in time with the context's error.
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
			s.Fatalf("%s: it never got under way, so it cannot be stopped", what)
		}
		if len(done) > 0 {
			s.Fatalf("%s: it ended before its context did: %v", what, <-done)
		}
		began := time.Now()
		cancel()
		var err error
		select {
		case err = <-done:
		case <-time.After(s.times.patience):
			s.Fatalf("%s: it goes on %v after its context ended", what, s.times.patience)
		}
		if took := time.Since(began); took > s.times.stop {
			late = append(late, took)
			continue
		}
		s.cancelled(what, err)
		if n := s.network.left(s.times.stop); n > 0 {
			s.Errorf("%s: %d connections outlive the context that began them", what, n)
		}
		return
	}
	s.Errorf("%s: it stopped %v after its context, each time", what, late)
}

func (s *stage) cancelled(what string, err error) {
	s.Helper()
	s.code(what, err, scheme.CodeInterrupted)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Errorf("%s: errors.Is(err, context.Canceled) is false: %v", what, err)
	}
}

// connected is ready when the server has one more connection than now.
func (s *stage) connected() func() bool {
	before := s.server.Connections()
	return func() bool { return s.server.Connections() > before }
}

// settled is ready when the counter has grown, and then not for a while.
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
	s.stops("access of a peer that says nothing", func() trial {
		c := s.client()
		return trial{s.connected(), func(ctx context.Context) error { return s.takeNow(ctx, c, r, nil).err }}
	})
	if !lists(s.h) {
		return
	}
	dir := scheme.Request{URL: s.server.URL("")}
	s.stops("list of a peer that says nothing", func() trial {
		c := s.client()
		return trial{s.connected(), func(ctx context.Context) error { _, err := s.collect(c.List(ctx, dir, nil), nil); return err }}
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
	case res.Body != nil:
		_, err = io.Copy(out, res.Body)
	case res.Session != nil:
		// A session reads as its connection does: its errors have no code.
		if _, err = io.Copy(out, res.Session); err != nil && ctx.Err() != nil {
			err = &scheme.Error{Op: scheme.OpAccess, URL: r.URL.Redacted(), Code: scheme.CodeInterrupted, Err: ctx.Err()}
		}
	default:
		err = errors.New("there is neither a Body nor a Session to read")
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
			// Not collected: it may be long.
			for _, err := range c.List(ctx, r, nil) {
				if err != nil {
					return err
				}
				n.Add(1)
			}
			return nil
		}}
	})
}

// checkCancelBefore begins with a context that has ended.
func checkCancelBefore(s *stage) {
	c := s.client()
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	t := s.take(ctx, c, scheme.Request{URL: s.url("big.bin")})
	if t.err == nil && (t.res.Body != nil || t.res.Entries != nil || t.res.Session != nil) {
		s.Errorf("access with a context that has ended succeeds, and gives %d octets", len(t.body))
	}
	if t.err != nil {
		s.cancelled("access with a context that has ended", t.err)
	}
	if n := s.network.connections(); n > 0 {
		s.Errorf("access with a context that has ended makes %d connections", n)
	}
}

// checkBodyAfterCancel reads on after the context ended. What is on the way already may still come, the end must not.
func checkBodyAfterCancel(s *stage) {
	u, content := s.file("big.bin")
	c := s.client()
	for range tries {
		var err error
		s.within(s.times.patience, "reading after the context ended", func() {
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
			s.cancelled("reading after the context ended", err)
			return
		}
	}
	s.Errorf("all %d octets of the body came, after the context of Access had ended", len(content))
}
