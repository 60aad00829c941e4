package ardp_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/prosperoserver"
)

// network connects an exchange with a service, in a time of its own. It loses, repeats and delays
// packets.
type network struct {
	now     time.Time
	due     time.Time // of the timer
	serve   func(now time.Time, packet []byte) [][]byte
	change  func(up bool, packet []byte) (copies int, delay time.Duration)
	in      []arrival
	up      int // packets sent
	down    int // packets received
	stopped bool
}

type arrival struct {
	at     time.Time
	packet []byte
}

// trip is the time of a packet in one direction.
const trip = 50 * time.Millisecond

func (n *network) Now() time.Time { return n.now }

func (n *network) NewTimer(d time.Duration) (<-chan time.Time, func() bool) {
	n.due = n.now.Add(d)
	return nil, func() bool { return true }
}

func (n *network) Send(b []byte) error {
	n.up++
	copies, delay := n.change(true, b)
	for range copies {
		for _, p := range n.serve(n.now.Add(trip+delay), bytes.Clone(b)) {
			again, more := n.change(false, p)
			for range again {
				n.in = append(n.in, arrival{n.now.Add(2*trip + delay + more), p})
			}
		}
	}
	return nil
}

func (n *network) Receive(ctx context.Context, due <-chan time.Time) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	end := n.due
	if due != nil { // a timer that has fired already
		end = n.now
	}
	next := -1
	for i, a := range n.in {
		if !a.at.After(end) && (next < 0 || a.at.Before(n.in[next].at)) {
			next = i
		}
	}
	if next < 0 {
		n.now = end
		return nil, errDue
	}
	a := n.in[next]
	n.in = slices.Delete(n.in, next, next+1)
	if a.at.After(n.now) {
		n.now = a.at
	}
	n.down++
	return a.packet, nil
}

func (n *network) Close() error { n.stopped = true; return nil }

var client = netip.MustParseAddrPort("192.0.2.1:1234")

// talk starts a network with a server that answers by a text, and an exchange.
func talk(t *testing.T, request, response []byte, change func(up bool, packet []byte) (int, time.Duration)) (*network, *ardp.Exchange) {
	t.Helper()
	s := prosperoserver.NewService(func(_ netip.AddrPort, got []byte) []byte {
		if !bytes.Equal(got, request) {
			t.Errorf("the server got a request of %d bytes, want %d", len(got), len(request))
		}
		return response
	})
	n := &network{now: time.Unix(0, 0), serve: func(now time.Time, b []byte) [][]byte { return s.Handle(now, client, b) }, change: change}
	return n, start(t, n, request)
}

func start(t *testing.T, n *network, request []byte) *ardp.Exchange {
	t.Helper()
	x, err := ardp.Start(t.Context(), n, request, ardp.Options{ID: 0x72CC, Timeout: time.Minute, Due: errDue, Clock: n})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func content(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func clean(bool, []byte) (int, time.Duration) { return 1, 0 }

// lossy loses packets, repeats one of ten, and delays one of ten.
func lossy(seed uint64, loss float64) func(bool, []byte) (int, time.Duration) {
	r := rand.New(rand.NewPCG(seed, 1525))
	return func(bool, []byte) (int, time.Duration) {
		copies, delay := 1, time.Duration(0)
		switch {
		case r.Float64() < loss:
			copies = 0
		case r.Float64() < 0.1:
			copies = 2
		}
		if r.Float64() < 0.1 {
			delay = time.Duration(r.IntN(300)) * time.Millisecond
		}
		return copies, delay
	}
}

// packet returns a packet of the server.
func packet(h ardp.Header, data string) []byte {
	h.ID = 0x72CC
	return append(h.Append(nil), data...)
}

// scripted returns a network whose server sends the packets of script, one step for each packet
// that it gets; the last step stays.
func scripted(script ...[][]byte) *network {
	i := -1
	return &network{now: time.Unix(0, 0), change: clean, serve: func(time.Time, []byte) [][]byte {
		if i++; i < len(script) {
			return script[i]
		}
		return nil
	}}
}

// stormy has a packet at each millisecond.
type stormy struct {
	*network
	next func() []byte
}

func (s *stormy) Receive(ctx context.Context, due <-chan time.Time) ([]byte, error) {
	s.now = s.now.Add(time.Millisecond)
	return s.next(), nil
}

// shared is a network with the time of another.
type shared struct {
	*network
	clock *network
}

func (s *shared) Receive(ctx context.Context, due <-chan time.Time) ([]byte, error) {
	s.now, s.due = s.clock.now, s.clock.due
	defer func() { s.clock.now = s.now }()
	return s.network.Receive(ctx, due)
}
