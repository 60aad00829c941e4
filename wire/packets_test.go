package wire_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"locator/wire"
)

// Packets that are too long or exceed the queue are dropped. A queued packet takes precedence over
// the timer. An error of the socket is returned, and the exchange continues.
//
// Covers: P6
func TestPackets(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	conn, err := net.Dial("udp", server.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	p := wire.NewPackets(conn, wire.PacketOptions{Max: 10, Queue: 2, Show: func(b []byte) string { return string(b) },
		Sent: func(l string) { lines = append(lines, "> "+l) }, Received: func(l string) { lines = append(lines, "< "+l) }})
	defer p.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := p.Send([]byte("h\x1bi")); err != nil {
		t.Fatal(err)
	}
	_, from, err := server.ReadFrom(make([]byte, 99))
	if err != nil {
		t.Fatal(err)
	}
	send := func(packets ...string) {
		for _, text := range packets {
			if _, err := server.WriteTo([]byte(text), from); err != nil {
				t.Fatal(err)
			}
		}
	}
	due := make(chan time.Time, 1)
	due <- time.Time{}
	if _, err := p.Receive(ctx, due); err != wire.ErrDue {
		t.Errorf("no packet: %v, want ErrDue", err)
	}
	send("01234567890", "a")
	if got, err := p.Receive(ctx, nil); string(got) != "a" || err != nil {
		t.Errorf("after a packet that is too long: %q, %v", got, err)
	}
	if want := []string{`> h\x1bi`, "< a"}; !slices.Equal(lines, want) {
		t.Errorf("trace %q, want %q", lines, want)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := p.Receive(stopped, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	server.Close()
	if err := p.Send([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Receive(ctx, nil); err == nil || ctx.Err() != nil {
		t.Errorf("nobody listens: %v", err)
	}
}

// Packets that are not received do not accumulate.
//
// Covers: P6
func TestPacketQueue(t *testing.T) {
	client, server := net.Pipe()
	defer server.Close()
	p := wire.NewPackets(client, wire.PacketOptions{Queue: 2})
	defer p.Close()
	for _, text := range []string{"a", "b", "c", "d"} { // a pipe passes one write at a time
		if _, err := server.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	due := make(chan time.Time, 1)
	due <- time.Time{}
	var got []string
	for {
		b, err := p.Receive(t.Context(), due)
		if err != nil {
			break
		}
		got = append(got, string(b))
	}
	if len(got) > 3 || len(got) < 2 || got[0] != "a" { // the last may arrive after the timer has fired
		t.Errorf("received %q of a queue of 2", got)
	}
}

// Close ends a Receive that waits, and each Receive after it.
//
// Covers: P6
func TestPacketsClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 50 { // the goroutines race
			conn, server := net.Pipe()
			p := wire.NewPackets(conn, wire.PacketOptions{})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			go func() {
				synctest.Wait() // Receive waits
				p.Close()
			}()
			for range 2 {
				if _, err := p.Receive(ctx, nil); err == nil || ctx.Err() != nil {
					t.Fatalf("after Close: %v", err)
				}
			}
			cancel()
			server.Close()
		}
	})
}
