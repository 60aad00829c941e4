package schemetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"locator/client"
	"locator/scheme"
)

// breaker implements client.Options.Dial. After left bytes the connection that is being read fails,
// and each further Read of it returns the same error, as a TLS connection does after a truncated
// record.
type breaker struct {
	n       *network
	err     error
	mu      sync.Mutex
	left    int64 // bytes until a connection fails
	tripped bool  // one connection has failed; the others do not
}

// arm breaks the connection that receives byte at.
func (b *breaker) arm(at int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.tripped = at, false
}

// broke reports whether a connection was broken since arm.
func (b *breaker) broke() bool {
	b.mu.Lock() // a connection of datagrams is read for a while after its client has ended
	defer b.mu.Unlock()
	return b.tripped
}

func (b *breaker) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := b.n.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &breaking{Conn: c, b: b}, nil
}

// breaking is a connection of a breaker.
type breaking struct {
	net.Conn
	b      *breaker
	broken bool
}

func (c *breaking) Read(p []byte) (int, error) {
	c.b.mu.Lock()
	if !c.b.tripped && c.b.left == 0 {
		c.b.tripped, c.broken = true, true
	}
	if c.broken {
		defer c.b.mu.Unlock()
		return 0, c.b.err
	}
	if !c.b.tripped {
		p = p[:min(int64(len(p)), c.b.left)]
	}
	c.b.mu.Unlock()
	n, err := c.Conn.Read(p)
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	c.b.left = max(c.b.left-int64(n), 0)
	return n, err
}

// stayingErrors are errors that every further Read returns: the error of TLS for a truncated
// record, and another one.
var stayingErrors = []error{io.ErrUnexpectedEOF, errors.New("the connection is broken for good")}

// cuts is the number of positions at which connections are broken. There are fewer, but at least
// fewCuts, where they would take longer than cutsTime, as with a real server that delays logins.
const (
	cuts     = 40
	fewCuts  = 8
	cutsTime = time.Second
)

// checkErrorStays breaks control and data connections at positions spread over all received bytes.
// The operation must end, with an error or with the complete result.
//
// Covers: P6
func checkErrorStays(s *stage) {
	for what, op := range s.readings() {
		before := s.network.bytesReceived()
		whole, took := s.unbroken(what, op)
		total := s.network.bytesReceived() - before
		broken, places := 0, min(total, max(fewCuts, min(cuts, int64(cutsTime/max(took, 1)))))
		for i := range places {
			at := i * total / places
			b := &breaker{n: s.network, err: stayingErrors[i%2]}
			s.breaks(fmt.Sprintf("%s, broken after %d of %d bytes", what, at, total), b.dial, func() { b.arm(at) }, whole, took, op)
			if b.broke() {
				broken++
			}
		}
		if broken < int(3*places/4) { // a later run may receive a few bytes less
			s.Fatalf("%s: of %d dialogues only %d were broken", what, places, broken)
		}
	}
}

// readings returns the operations that read a tree. Each returns the whole result as a text.
func (s *stage) readings() map[string]func(c *client.Client) (string, error) {
	ops := map[string]func(c *client.Client) (string, error){
		"access": func(c *client.Client) (string, error) {
			t := s.takeNow(s.ctx, c, scheme.Request{URL: s.url("text.txt")}, nil)
			return fmt.Sprintf("%q", t.body), t.err
		},
	}
	if lists(s.h) {
		ops["list"] = func(c *client.Client) (string, error) {
			entries, err := s.collect(client.Entries(c.List(s.ctx, scheme.Request{URL: s.server.URL("")}, nil)), nil)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name)
			}
			slices.Sort(names)
			return fmt.Sprintf("%q", names), err
		}
	}
	return ops
}

// unbroken returns the result of op with nothing broken, and how long it took.
func (s *stage) unbroken(what string, op func(*client.Client) (string, error)) (whole string, took time.Duration) {
	s.Helper()
	began := time.Now()
	var err error
	s.within(s.times.patience, what, func() { whole, err = op(s.client()) })
	if err != nil {
		s.Fatalf("%s, with nothing broken: %v", what, err)
	}
	return whole, time.Since(began)
}

// breaks runs op with connections of dial. arm is called before each try. With nothing broken, op
// took the time normal. Since a machine may be busy, a late end is a failure only if every try is
// late.
func (s *stage) breaks(what string, dial dialFunc, arm func(), whole string, normal time.Duration, op func(*client.Client) (string, error)) {
	s.Helper()
	var took time.Duration
	for range tries {
		arm()
		c := s.client(func(o *client.Options) { o.Dial = dial })
		began := time.Now()
		var got string
		var err error
		s.within(min(s.times.patience, 10*time.Second), what, func() { got, err = op(c) })
		if err == nil && got != whole {
			s.Errorf("%s: it succeeds with %.200s, where %.200s would have come", what, got, whole)
		}
		if took = time.Since(began); took <= s.times.stop+3*normal {
			return
		}
	}
	s.Fatalf("%s: it ends only after %v, each time", what, took)
}

// dialFunc is the type of client.Options.Dial.
type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)
