package client

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// pair gives both ends of a TCP connection, ours with waits in the kernel.
func pair(t *testing.T, idle time.Duration) (ours *idleConn, theirs *net.TCPConn) {
	t.Helper()
	conn, theirs := tcpPair(t)
	ours = &idleConn{Conn: conn, idle: idle, brief: briefly(conn, new(pace))}
	if ours.brief == nil {
		t.Fatal("the connection does not wait in the kernel")
	}
	return ours, theirs
}

// A Close wakes who reads and who writes, whether they wait in the kernel still or in the poller.
//
// Covers: P6
func TestBriefClose(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, 500 * time.Microsecond, 50 * time.Millisecond} {
		c, _ := pair(t, time.Hour)
		read, written := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := c.Read(make([]byte, 1))
			read <- err
		}()
		go func() {
			for b := make([]byte, 1<<20); ; {
				if _, err := c.Write(b); err != nil {
					written <- err
					return
				}
			}
		}()
		time.Sleep(wait)
		c.Close()
		for _, end := range []chan error{read, written} {
			select {
			case err := <-end:
				if !errors.Is(err, net.ErrClosed) {
					t.Errorf("after the close: %v", err)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("the close woke nobody")
			}
		}
	}
}

// The idle limit holds, and starts anew with each octet.
//
// Covers: P6
func TestBriefIdle(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, time.Second)
	go func() {
		for range 4 {
			time.Sleep(300 * time.Millisecond)
			peer.Write([]byte("x"))
		}
	}()
	got, err := io.ReadAll(c)
	if string(got) != "xxxx" || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := c.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) { // nobody reads it
		t.Errorf("writing: %v", err)
	}
}

// A deadline of the scheme's own holds, too, even for who waits already.
func TestBriefDeadline(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, time.Hour)
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	c.SetDeadline(time.Time{})
	time.AfterFunc(50*time.Millisecond, func() { c.SetReadDeadline(time.Now()) })
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	c.SetDeadline(time.Time{})
	go peer.Write([]byte("x"))
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// What ends a connection is told as it would be without waits in the kernel: what came before is read, then the end, or
// the reset, which is no end.
//
// Covers: P6
func TestBriefEnd(t *testing.T) {
	t.Parallel()
	for range 50 {
		c, peer := pair(t, time.Minute)
		go func() {
			peer.Write([]byte("abc"))
			peer.Close()
		}()
		if got, err := io.ReadAll(c); string(got) != "abc" || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
		c, reset := pair(t, time.Minute)
		reset.SetLinger(0)
		go reset.Close()
		n, err := c.Read(make([]byte, 10))
		var op *net.OpError
		if n != 0 || !errors.As(err, &op) || op.Op != "read" || !errors.Is(err, syscall.ECONNRESET) {
			t.Fatalf("a reset: %d octets, %v", n, err)
		}
	}
}

// What goes from socket to file by the kernel arrives whole; such a connection waits in the poller from then on.
func TestBriefSplice(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, time.Minute)
	want := bytes.Repeat([]byte("0123456789abcde\n"), 1<<19) // two steps
	go func() {
		for part := range slices.Chunk(want, 1<<20) {
			peer.Write(part[:len(part)/3])
			time.Sleep(20 * time.Millisecond) // longer than a wait in the kernel
			peer.Write(part[len(part)/3:])
		}
		peer.Close()
	}()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := c.WriteTo(f); n != int64(len(want)) || err != nil {
		t.Fatalf("%d octets, %v", n, err)
	}
	if !c.brief.over.Load() {
		t.Error("it waits in the kernel still")
	}
	if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if got, err := os.ReadFile(f.Name()); !bytes.Equal(got, want) {
		t.Errorf("%d octets in the file, %v", len(got), err)
	}
}

// A peer that does not answer within a tick is waited for in the kernel ever more rarely, and as ever once it does.
func TestPace(t *testing.T) {
	t.Parallel()
	var all paces
	p := all.of(netip.MustParseAddr("192.0.2.1"))
	if p != all.of(netip.MustParseAddr("192.0.2.1")) || p == all.of(netip.MustParseAddr("192.0.2.2")) {
		t.Error("a peer has one pace of its own")
	}
	waits := func(turns int, d time.Duration) (n int) {
		for range turns {
			if p.quick() {
				n++
				p.took(d)
			}
		}
		return n
	}
	if n := waits(100, tick/2); n != 100 {
		t.Errorf("%d waits of 100 for a quick peer", n)
	}
	if n := waits(2000, 50*tick); n < 5 || n > 15 {
		t.Errorf("%d waits of 2000 for a slow peer", n)
	}
	waits(1<<maxMisses+1, tick/2)
	if n := waits(100, tick/2); n != 100 {
		t.Errorf("%d waits of 100 once it is quick again", n)
	}
	for i := range 3 * maxPaces {
		all.of(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))
	}
	if len(all.m) > maxPaces {
		t.Errorf("%d paces are remembered", len(all.m))
	}
}
