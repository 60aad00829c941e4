package ardp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/prosperotest"
)

var errDue = errors.New("due")

// network connects an exchange with a service, in a time of its own. It loses, repeats and delays packets.
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
	s := prosperotest.NewService(func(_ netip.AddrPort, got []byte) []byte {
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

// Covers: A13
func TestExchange(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 1249, 1250, 1251, 16 * 1250, 16*1250 + 1, 17 * 1250, 84 * 1250, 200_000} {
		for _, request := range []int{10, 1250, 1251, 20 * 1250} {
			want := content(size)
			n, x := talk(t, content(request), want, clean)
			got, err := io.ReadAll(x)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes for %d: %d bytes, %v", size, request, len(got), err)
			}
			x.Close()
			if windows := size/1250/16 + 1 + request/1250; n.up > windows+1 {
				t.Errorf("%d bytes for %d: %d packets were sent", size, request, n.up)
			}
			if !n.stopped {
				t.Error("the peer is open")
			}
		}
	}
}

// 200 KB arrive whole though 30 % of the packets are lost in both directions, and others are repeated or delayed.
//
// Covers: A13
func TestLoss(t *testing.T) {
	t.Parallel()
	want, least, most, sum := content(200_000), time.Hour, time.Duration(0), time.Duration(0)
	const seeds = 50
	for seed := range uint64(seeds) {
		n, x := talk(t, []byte("LIST"), want, lossy(seed, 0.3))
		got, err := io.ReadAll(x)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("seed %d: %d bytes, %v", seed, len(got), err)
		}
		took := n.now.Sub(time.Unix(0, 0))
		least, most, sum = min(least, took), max(most, took), sum+took
	}
	t.Logf("%d seeds: from %v to %v, mean %v", seeds, least, most, sum/seeds)
	want = content(1_000_000)
	n, x := talk(t, []byte("LIST"), want, lossy(7, 0.1))
	if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, want) {
		t.Errorf("1 MB: %d bytes, %v", len(got), err)
	}
	t.Logf("1 MB with 10 %%: %v", n.now.Sub(time.Unix(0, 0)))
}

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

// scripted returns a network whose server sends the packets of script, one step for each packet that it gets; the last step stays.
func scripted(script ...[][]byte) *network {
	i := -1
	return &network{now: time.Unix(0, 0), change: clean, serve: func(time.Time, []byte) [][]byte {
		if i++; i < len(script) {
			return script[i]
		}
		return nil
	}}
}

// Covers: A13
func TestPackets(t *testing.T) {
	t.Parallel()
	h := ardp.Header{Length: 7, Number: 1, Total: 1}
	stranger := packet(h, "stranger")
	stranger[1] ^= 0x55
	swapped := packet(h, "swapped")
	swapped[1], swapped[2] = swapped[2], swapped[1]
	wait := ardp.Header{Length: 11, Number: 0, Wait: 300}
	for _, tt := range []struct {
		name   string
		script [][][]byte
		want   string
		err    error
		took   time.Duration // 0 is any
	}{
		{"one packet, three bytes of header", [][][]byte{{packet(ardp.Header{Length: 3}, "text")}}, "text", nil, 2 * trip},
		{"total in the last", [][][]byte{{packet(ardp.Header{Length: 5, Number: 1}, "a"), packet(ardp.Header{Length: 5, Number: 2}, "b"), packet(ardp.Header{Length: 7, Number: 3, Total: 3}, "")}}, "ab", nil, 0},
		{"reversed", [][][]byte{{packet(ardp.Header{Length: 7, Number: 3, Total: 3}, "c"), packet(ardp.Header{Length: 5, Number: 2}, "b"), packet(ardp.Header{Length: 5, Number: 1}, "a")}}, "abc", nil, 0},
		{"a stranger's", [][][]byte{{stranger, packet(h, "mine")}}, "mine", nil, 0},
		{"swapped id", [][][]byte{{swapped}}, "swapped", nil, 0},
		{"a control packet among data", [][][]byte{{packet(ardp.Header{Length: 12, Number: 1, Total: 2, Flags: ardp.FlagControl}, "not data"), packet(ardp.Header{Length: 7, Number: 2, Total: 2}, "b")}}, "b", nil, 0},
		{"refused", [][][]byte{{packet(ardp.Header{Length: 13, Option: ardp.OptionRefused}, "")}}, "", ardp.ErrRefused, 0},
		{"no header", [][][]byte{{[]byte("ERROR too old")}}, "", ardp.ErrProtocol, 0},
		{"two totals", [][][]byte{{packet(ardp.Header{Length: 7, Number: 1, Total: 2}, "a"), packet(ardp.Header{Length: 7, Number: 2, Total: 3}, "b")}}, "a", ardp.ErrProtocol, 0},
		{"beyond the total", [][][]byte{{packet(ardp.Header{Length: 7, Number: 1, Total: 2}, "a"), packet(ardp.Header{Length: 5, Number: 3}, "b")}}, "a", ardp.ErrProtocol, 0},
		{"a total below what arrived", [][][]byte{{packet(ardp.Header{Length: 5, Number: 3}, "c"), packet(ardp.Header{Length: 7, Number: 1, Total: 2}, "a")}}, "", ardp.ErrProtocol, 0},
		{"malformed", [][][]byte{{{}, {0}, {3, 0x72}, {31}, packet(h, "after")}}, "after", nil, 0},
		{"never", nil, "", ardp.ErrTimeout, time.Minute},
		{"half", [][][]byte{{packet(ardp.Header{Length: 5, Number: 1}, "half")}}, "half", ardp.ErrTimeout, time.Minute + 2*trip},
		{"wait", [][][]byte{{packet(wait, "")}, {packet(ardp.Header{Length: 12, Number: 1, Total: 1, Flags: ardp.FlagAck}, "late")}}, "late", nil, 300*time.Second + 4*trip},
		{"wait for nothing", [][][]byte{{packet(wait, "")}}, "", ardp.ErrTimeout, 360*time.Second + 2*trip},
		{"a redirect without a way", [][][]byte{{packet(ardp.Header{Length: 13, Option: ardp.OptionRedirect, Redirect: netip.MustParseAddrPort("127.0.0.1:21525")}, "")}}, "", ardp.ErrProtocol, 0},
	} {
		n := scripted(tt.script...)
		x := start(t, n, []byte("LIST"))
		got, err := io.ReadAll(x)
		took := n.now.Sub(time.Unix(0, 0))
		if string(got) != tt.want || !errors.Is(err, tt.err) || tt.took != 0 && took != tt.took {
			t.Errorf("%s: %q, %v, after %v; want %q, %v, after %v", tt.name, got, err, took, tt.want, tt.err, tt.took)
		}
		x.Close()
	}
}

// A packet is repeated after 1, 2 and 4 seconds, then every 4. A repetition after an answer is an acknowledgement.
//
// Covers: A13
func TestRepetition(t *testing.T) {
	t.Parallel()
	var at []string
	n := scripted()
	n.change = func(up bool, b []byte) (int, time.Duration) {
		h, _, _ := ardp.Parse(b)
		if !up {
			return 1, 0
		}
		at = append(at, fmt.Sprintf("%v:%d", n.now.Sub(time.Unix(0, 0)), h.Number))
		return 1, 0
	}
	_, err := io.ReadAll(start(t, n, []byte("LIST")))
	if want := []string{"0s:1", "1s:1", "3s:1", "7s:1", "11s:1"}; !errors.Is(err, ardp.ErrTimeout) || !slices.Equal(at[:5], want) || len(at) > 20 {
		t.Errorf("%v; packets %q, want %q", err, at, want)
	}
	at = nil
	answer := [][]byte{packet(ardp.Header{Length: 5, Number: 1}, "a")}
	n.serve = func(time.Time, []byte) [][]byte { defer func() { answer = nil }(); return answer }
	n.now = time.Unix(0, 0)
	io.ReadAll(start(t, n, []byte("LIST")))
	if want := []string{"0s:1", "1.1s:0", "3.1s:0", "7.1s:0"}; !slices.Equal(at[:4], want) {
		t.Errorf("after an answer, packets %q, want %q", at, want)
	}
}

// What a server sends never makes the client send more than one packet for each, nor keep much.
//
// Covers: A13, P6
func TestStorm(t *testing.T) {
	t.Parallel()
	for name, storm := range map[string]func(i int) []byte{
		"controls":        func(int) []byte { return packet(ardp.Header{Length: 11, Wait: 1}, "") },
		"requests to ack": func(int) []byte { return packet(ardp.Header{Length: 12, Number: 1, Flags: ardp.FlagAck}, "same") },
		"far ahead":       func(i int) []byte { return packet(ardp.Header{Length: 5, Number: uint16(1000 + i)}, "far") },
		"strangers":       func(int) []byte { return []byte{3, 1, 1, 'x'} },
	} {
		i := 0
		n := scripted()
		received := 0
		x, err := ardp.Start(t.Context(), &stormy{n, func() []byte { i++; received++; return storm(i) }}, []byte("LIST"), ardp.Options{ID: 0x72CC, Timeout: 10 * time.Second, Due: errDue, Clock: n})
		if err != nil {
			t.Fatal(err)
		}
		n.up = 0
		if _, err := io.ReadAll(x); err == nil || received > 20_000 {
			t.Errorf("%s: %v after %d packets", name, err, received)
		}
		if n.up > received+10 {
			t.Errorf("%s: %d packets sent for %d", name, n.up, received)
		}
	}
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

// Covers: A13
func TestRedirect(t *testing.T) {
	t.Parallel()
	other := netip.MustParseAddrPort("127.0.0.1:21525")
	n := scripted([][]byte{packet(ardp.Header{Length: 13, Option: ardp.OptionRedirect, Redirect: other}, "")})
	second := &network{change: clean, serve: func(time.Time, []byte) [][]byte { return [][]byte{packet(ardp.Header{Length: 3}, "there")} }}
	var to netip.AddrPort
	x, err := ardp.Start(t.Context(), n, []byte("LIST"), ardp.Options{ID: 0x72CC, Timeout: time.Minute, Due: errDue, Clock: n,
		Redirect: func(_ context.Context, at netip.AddrPort) (ardp.Peer, error) {
			to, second.now = at, n.now
			return &shared{second, n}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(x); string(got) != "there" || err != nil || to != other || !n.stopped {
		t.Errorf("%q, %v, at %v", got, err, to)
	}
	loop := scripted()
	loop.serve = func(time.Time, []byte) [][]byte {
		return [][]byte{packet(ardp.Header{Length: 13, Option: ardp.OptionRedirect, Redirect: other}, "")}
	}
	x, err = ardp.Start(t.Context(), loop, []byte("LIST"), ardp.Options{ID: 0x72CC, Timeout: time.Minute, Due: errDue, Clock: loop,
		Redirect: func(context.Context, netip.AddrPort) (ardp.Peer, error) { return loop, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(x); !errors.Is(err, ardp.ErrProtocol) {
		t.Errorf("a loop of redirects: %v", err)
	}
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

// Covers: A13
func TestCancel(t *testing.T) {
	t.Parallel()
	var last []byte
	n := scripted([][]byte{packet(ardp.Header{Length: 5, Number: 1}, "a")})
	n.change = func(up bool, b []byte) (int, time.Duration) {
		if up {
			last = bytes.Clone(b)
		}
		return 1, 0
	}
	ctx, cancel := context.WithCancel(t.Context())
	x, err := ardp.Start(ctx, n, []byte("LIST"), ardp.Options{ID: 0x72CC, Timeout: time.Minute, Due: errDue, Clock: n})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := x.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
	if want := []byte{13, 0x72, 0xCC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}; !bytes.Equal(last, want) {
		t.Errorf("the last packet is %x, want %x", last, want)
	}
}

// An exchange ends whatever the server sends.
func FuzzExchange(f *testing.F) {
	f.Add([]byte("\x03\x03\x72\xcca"))
	f.Add([]byte{13, 13, 0x72, 0xCC, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var packets [][]byte
		for len(b) > 0 { // each packet has its length before it
			n := min(int(b[0]), len(b)-1)
			packets = append(packets, b[1:1+n])
			b = b[1+n:]
		}
		n := scripted(packets)
		x := start(t, n, []byte("LIST"))
		got, err := io.ReadAll(io.LimitReader(x, 1<<20))
		if total := len(got); total > 64<<10 || n.now.Sub(time.Unix(0, 0)) > 50*time.Hour {
			t.Errorf("%d bytes after %v, %v", total, n.now, err)
		}
		x.Close()
	})
}
