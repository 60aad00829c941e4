package ardp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/prosperoserver"
)

var errDue = errors.New("due")

// Covers: A13, PR3
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

// 200 KB arrive whole though 30 % of the packets are lost in both directions, and others are
// repeated or delayed.
//
// Covers: A13, PR1
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

// A lost packet costs a few round trips, not a second: the server repeats what is missing when the
// client acknowledges less than was sent.
//
// Covers: A13
func TestLossIsCheap(t *testing.T) {
	t.Parallel()
	want, sum := content(1_000_000), time.Duration(0)
	const seeds = 10
	for seed := range uint64(seeds) {
		n, x := talk(t, []byte("LIST"), want, lossy(seed, 0.1))
		if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, want) {
			t.Errorf("seed %d: %d bytes, %v", seed, len(got), err)
		}
		sum += n.now.Sub(time.Unix(0, 0))
	}
	if mean := sum / seeds; mean > 25*time.Second {
		t.Errorf("1 MB with a loss of 10 %% took %v", mean)
	} else {
		t.Logf("1 MB with a loss of 10 %%: %v", mean)
	}
}

// Covers: A13, T99, PR3, PR4, PR5, PR7, PR9, PR11, PR14
func TestPackets(t *testing.T) {
	t.Parallel()
	h := ardp.Header{Length: 7, Number: 1, Total: 1}
	stranger := packet(h, "stranger")
	stranger[1] ^= 0x55
	swapped := packet(h, "swapped")
	swapped[1], swapped[2] = swapped[2], swapped[1]
	wait := ardp.Header{Length: 11, Number: 0, Wait: 300}
	far := func(n int) [][]byte { // the last of n packets, then the others
		all := [][]byte{packet(ardp.Header{Length: 7, Number: uint16(n), Total: uint16(n)}, "x")}
		for i := 1; i < n; i++ {
			all = append(all, packet(ardp.Header{Length: 5, Number: uint16(i)}, "x"))
		}
		return all
	}
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
		{"id 0", [][][]byte{{append([]byte{1}, "no id"...), append([]byte{3, 0, 0}, "id 0"...), packet(h, "after")}}, "after", nil, 0},
		{"the last packet that is kept", [][][]byte{far(64)}, strings.Repeat("x", 64), nil, 0},
		{"a packet that is too far ahead", [][][]byte{far(65)}, strings.Repeat("x", 64), ardp.ErrTimeout, 0},
		{"never", nil, "", ardp.ErrTimeout, time.Minute},
		{"half", [][][]byte{{packet(ardp.Header{Length: 5, Number: 1}, "half")}}, "half", ardp.ErrTimeout, time.Minute + 2*trip},
		{"wait", [][][]byte{{packet(wait, "")}, {packet(ardp.Header{Length: 12, Number: 1, Total: 1, Flags: ardp.FlagAck}, "late")}}, "late", nil, 300*time.Second + 4*trip},
		{"wait for nothing", [][][]byte{{packet(wait, "")}}, "", ardp.ErrTimeout, 360*time.Second + 2*trip},
		{"a total of 65535", [][][]byte{{packet(ardp.Header{Length: 7, Number: 1, Total: 0xFFFF}, "a")}}, "a", ardp.ErrTimeout, 0},
		{"a number of 65535", [][][]byte{{packet(ardp.Header{Length: 7, Number: 0xFFFF, Total: 0xFFFF}, "z"), packet(ardp.Header{Length: 5, Number: 1}, "a")}}, "a", ardp.ErrTimeout, 0},
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

// A packet is repeated after 1, 2 and 4 seconds, then every 4. The first two repetitions after an
// answer are acknowledgements.
//
// Covers: A13, PR7
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
	if want := []string{"0s:1", "400ms:0", "1s:0", "2.2s:1", "4.6s:1", "8.6s:1"}; !slices.Equal(at[:6], want) {
		t.Errorf("after an answer, packets %q, want %q", at, want)
	}
}

// forgetful returns a network with a server that keeps n responses, and whose answers are those of
// texts, one after the other; the last one stays. Begins says that an answer begins with its first
// packet, whatever the client has.
func forgetful(n int, begins bool, texts ...[]byte) *network {
	s := prosperoserver.NewService(func(netip.AddrPort, []byte) []byte {
		text := texts[0]
		texts = texts[min(1, len(texts)-1):]
		return text
	})
	s.Kept = n
	forgotten := !begins
	return &network{now: time.Unix(0, 0), change: clean, serve: func(now time.Time, b []byte) [][]byte {
		h, data, _ := ardp.Parse(b)
		if begins && h.Number > 0 {
			h.ReceivedThrough = 0
			b = append(h.Append(nil), data...)
		}
		if h.Number == 0 && h.ReceivedThrough > 16 && !forgotten { // the response is forgotten once, after some windows
			forgotten, s.Kept = true, 0
			s.Handle(now, netip.MustParseAddrPort("192.0.2.2:1"), append(ardp.Header{Length: 7, ID: 1, Number: 1, Total: 1}.Append(nil), "LIST"...))
			s.Kept = n
		}
		return s.Handle(now, client, b)
	}}
}

// A server that has forgotten the response, or the request, gets the request again after two
// acknowledgements. What it answers must be the same.
//
// Covers: A13, PR18
func TestForgotten(t *testing.T) {
	t.Parallel()
	want := content(100_000)
	for name, n := range map[string]*network{"each window": forgetful(0, false, want), "once": forgetful(64, true, want)} {
		x := start(t, n, content(30*1250))
		if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		x.Close()
		t.Logf("%s: %d packets sent, %v", name, n.up, n.now.Sub(time.Unix(0, 0)))
	}
	changed := bytes.Clone(want)
	changed[16*1250-1]++
	x := start(t, forgetful(0, false, want, changed), []byte("LIST"))
	if got, err := io.ReadAll(x); !errors.Is(err, ardp.ErrChanged) || len(got) != 16*1250 {
		t.Errorf("another answer: %d bytes, %v", len(got), err)
	}
	// A server that acknowledges the request each time, and never answers, is not waited for longer
	// than any other.
	ack := packet(ardp.Header{Length: 9, ReceivedThrough: 1}, "")
	silent := scripted()
	silent.serve = func(time.Time, []byte) [][]byte { return [][]byte{ack, ack} }
	if _, err := io.ReadAll(start(t, silent, []byte("LIST"))); !errors.Is(err, ardp.ErrTimeout) || silent.up > 30 {
		t.Errorf("only acknowledgements: %v after %d packets", err, silent.up)
	}
	var requests []int
	silent.change = func(up bool, b []byte) (int, time.Duration) {
		if h, _, _ := ardp.Parse(b); up {
			requests = append(requests, int(h.Number))
		}
		return 1, 0
	}
	silent.now = time.Unix(0, 0)
	io.ReadAll(start(t, silent, []byte("LIST")))
	if want := []int{1, 0, 0, 1, 1}; !slices.Equal(requests[:5], want) {
		t.Errorf("sent packets %v, want %v", requests, want)
	}
	// A server that answers twice, in either order, answers once.
	for name, answer := range map[string][][]byte{
		"one packet":  {packet(ardp.Header{Length: 3}, "text"), packet(ardp.Header{Length: 9, Number: 1, Total: 1, ReceivedThrough: 1}, "text")},
		"two packets": {packet(ardp.Header{Length: 5, Number: 1}, "te"), packet(ardp.Header{Length: 5, Number: 1}, "te"), packet(ardp.Header{Length: 7, Number: 2, Total: 2}, "xt"), packet(ardp.Header{Length: 7, Number: 2, Total: 2}, "xt")},
		"reversed":    {packet(ardp.Header{Length: 7, Number: 2, Total: 2}, "xt"), packet(ardp.Header{Length: 7, Number: 2, Total: 2}, "xt"), packet(ardp.Header{Length: 5, Number: 1}, "te")},
	} {
		if got, err := io.ReadAll(start(t, scripted(answer), []byte("LIST"))); err != nil || string(got) != "text" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// An acknowledgement is sent if the server asks for one, even for the last packet, and only then.
//
// Covers: A13, PR4
func TestAcknowledgement(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		header ardp.Header
		want   []byte // the second packet of the client
	}{
		"not asked":                  {ardp.Header{Length: 3}, nil},
		"asked for, with one packet": {ardp.Header{Length: 12, Number: 1, Total: 1, Flags: ardp.FlagAck}, []byte{9, 0x72, 0xCC, 0, 0, 0, 0, 0, 1}},
	} {
		var sent [][]byte
		n := scripted([][]byte{packet(tt.header, "text")})
		n.change = func(up bool, b []byte) (int, time.Duration) {
			if up {
				sent = append(sent, bytes.Clone(b))
			}
			return 1, 0
		}
		x := start(t, n, []byte("LIST"))
		if got, err := io.ReadAll(x); string(got) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		x.Close()
		if len(sent) == 0 || len(sent) > 2 || tt.want == nil != (len(sent) == 1) || tt.want != nil && !bytes.Equal(sent[1], tt.want) {
			t.Errorf("%s: sent %x", name, sent)
		}
	}
}

// What a server sends never makes the client send more than one packet for each, nor keep much.
//
// Covers: A13, P6, T99, PR17
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

// Covers: A13, T99, PR6
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
	loop, hops := scripted(), 0
	loop.serve = func(time.Time, []byte) [][]byte {
		return [][]byte{packet(ardp.Header{Length: 13, Option: ardp.OptionRedirect, Redirect: other}, "")}
	}
	x, err = ardp.Start(t.Context(), loop, []byte("LIST"), ardp.Options{ID: 0x72CC, Timeout: time.Minute, Due: errDue, Clock: loop,
		Redirect: func(context.Context, netip.AddrPort) (ardp.Peer, error) { hops++; return loop, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(x); !errors.Is(err, ardp.ErrProtocol) || hops != 5 {
		t.Errorf("a loop of redirects: %v after %d", err, hops)
	}
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
