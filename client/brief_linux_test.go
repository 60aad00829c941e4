package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pair gives both ends of a TCP connection, ours with waits in the kernel.
func pair(t *testing.T, idle time.Duration) (ours *idleConn, theirs *net.TCPConn) {
	t.Helper()
	conn, theirs := tcpPair(t)
	ours = &idleConn{Conn: briefly(conn, new(pace)), idle: idle}
	if _, ok := ours.Conn.(*brief); !ok {
		t.Fatal("the connection does not wait in the kernel")
	}
	return ours, theirs
}

// polled reports whether the poller has a connection.
func polled(c net.Conn) bool {
	b := c.(*brief)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conn != nil
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

// What goes from socket to file by the kernel arrives whole; such a connection waits in the poller meanwhile.
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
	if !polled(c.Conn) {
		t.Error("it waits in the kernel still")
	}
	if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if got, err := os.ReadFile(f.Name()); !bytes.Equal(got, want) {
		t.Errorf("%d octets in the file, %v", len(got), err)
	}
}

// A connection is with the poller only from a wait that is longer than a tick to the next read, and nothing is lost on the way
// there and back.
func TestBriefThereAndBack(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, time.Minute)
	local := c.LocalAddr().String()
	kernel := 0
	for i := range 200 {
		text := fmt.Sprintf("%03d", i)
		if i%40 == 39 {
			time.AfterFunc(20*time.Millisecond, func() { io.WriteString(peer, text) })
		} else if _, err := io.WriteString(peer, text); err != nil { // before the read, which may hold the only processor
			t.Fatal(err)
		}
		got := make([]byte, 3)
		if _, err := io.ReadFull(c, got); err != nil || string(got) != fmt.Sprintf("%03d", i) {
			t.Fatalf("%q, %v; want %03d", got, err, i)
		}
		if !polled(c.Conn) {
			kernel++
		}
		if _, err := c.Write(got); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(peer, got); err != nil || string(got) != fmt.Sprintf("%03d", i) {
			t.Fatalf("there came %q, %v; want %03d", got, err, i)
		}
		if at := c.LocalAddr().String(); at != local || c.RemoteAddr().String() != peer.LocalAddr().String() {
			t.Fatalf("it is %s to %s, and was %s", at, c.RemoteAddr(), local)
		}
	}
	if kernel == 0 || kernel == 200 {
		t.Errorf("%d of 200 reads waited in the kernel", kernel)
	}
	if err := c.CloseWrite(); err != nil {
		t.Error(err)
	}
	if n, err := peer.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("after the end of our side: %d octets, %v", n, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for name, do := range map[string]func() error{
		"Read":       func() error { _, err := c.Read(make([]byte, 1)); return err },
		"Write":      func() error { _, err := c.Write([]byte("x")); return err },
		"Close":      c.Close,
		"CloseWrite": c.CloseWrite,
		"WriteTo":    func() error { _, err := c.WriteTo(io.Discard); return err },
	} {
		if err := do(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

// More than finds room within a tick is written whole, with what was written briefly before the rest.
func TestBriefWritesAll(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, time.Minute)
	go peer.Write([]byte("x"))
	if _, err := c.Read(make([]byte, 1)); err != nil { // it is out of the poller
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("0123456789abcde\n"), 1<<20)
	read := make(chan []byte)
	go func() {
		time.Sleep(50 * time.Millisecond)
		got, _ := io.ReadAll(peer)
		read <- got
	}()
	if n, err := c.Write(want); n != len(want) || err != nil {
		t.Errorf("%d octets, %v", n, err)
	}
	c.Close()
	if got := <-read; !bytes.Equal(got, want) {
		t.Errorf("%d octets came, of %d", len(got), len(want))
	}
}

// A deadline that has passed ends a call even where there is something to do; a call that waits keeps the connection where it is;
// and half of a connection behind a proxy is not closed.
//
// Covers: P6
func TestBriefGuards(t *testing.T) {
	t.Parallel()
	c, peer := pair(t, 0)
	io.WriteString(peer, "xy")
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if polled(c.Conn) {
		t.Fatal("the poller has it, though all was there")
	}
	c.SetDeadline(time.Unix(1, 0))
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read after the deadline: %d, %v", n, err)
	}
	c.SetDeadline(time.Time{})
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil { // it is out of the poller again
		t.Fatal(n, err)
	}
	c.SetDeadline(time.Unix(1, 0))
	if n, err := c.Write([]byte("x")); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("write after the deadline: %d, %v", n, err)
	}
	c.SetDeadline(time.Time{})

	large := make([]byte, 16<<20)
	written := make(chan error, 1)
	go func() {
		_, err := c.Write(large)
		written <- err
	}()
	for b := c.Conn.(*brief); ; time.Sleep(time.Millisecond) { // until it waits in the poller
		b.mu.Lock()
		waits := b.calls > 0
		b.mu.Unlock()
		if waits {
			break
		}
	}
	io.WriteString(peer, "z")
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("beside a write: %d, %v", n, err)
	}
	if n, err := io.CopyN(io.Discard, peer, int64(len(large))); err != nil {
		t.Errorf("%d octets came, %v", n, err)
	}
	if err := <-written; err != nil {
		t.Error("a write beside a read:", err)
	}

	c.remote = &net.TCPAddr{}
	if err := c.CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("half of a connection behind a proxy: %v", err)
	}
}

// Where no descriptor is left for the poller, a connection waits in the kernel for as long as it takes.
//
// Covers: P6
func TestBriefWithoutDescriptors(t *testing.T) {
	if os.Getenv("LOCATOR_WITHOUT_DESCRIPTORS") == "" { // the limit is that of a process
		t.Parallel()
		again := exec.Command(os.Args[0], "-test.run=^TestBriefWithoutDescriptors$", "-test.v")
		again.Env = append(os.Environ(), "LOCATOR_WITHOUT_DESCRIPTORS=yes")
		if out, err := again.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	c, peer := pair(t, time.Minute)
	io.WriteString(peer, "x")
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil || polled(c.Conn) {
		t.Fatal(n, err, polled(c.Conn))
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 3 // what is open stays open
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	time.AfterFunc(100*time.Millisecond, func() { io.WriteString(peer, "y") })
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil || polled(c.Conn) {
		t.Errorf("read: %d, %v, in the poller %v", n, err, polled(c.Conn))
	}
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("to the deadline: %d, %v", n, err)
	}
	go io.WriteString(peer, "abc")
	var moved bytes.Buffer
	c.SetReadDeadline(time.Time{})
	if n, err := c.WriteToN(&moved, 3); n != 3 || err != nil || moved.String() != "abc" {
		t.Errorf("moving a body: %d, %v, %q", n, err, moved.String())
	}
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("reading nothing: %d, %v", n, err)
	}
	if n, err := c.Write(nil); n != 0 || err != nil {
		t.Errorf("writing nothing: %d, %v", n, err)
	}
	large := make([]byte, 16<<20)
	go func() {
		time.Sleep(50 * time.Millisecond)
		io.CopyN(io.Discard, peer, int64(len(large)))
		io.WriteString(peer, "z")
	}()
	if n, err := c.Write(large); n != len(large) || err != nil {
		t.Errorf("write: %d, %v", n, err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	c.SetReadDeadline(time.Time{})
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("with descriptors again: %d, %v", n, err)
	}
	time.AfterFunc(50*time.Millisecond, func() { c.Close() })
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed meanwhile: %d, %v", n, err)
	}
}

// A wait in vain is looked for awake, then asleep, and both are left out soon; what is there already is told at once, and says
// nothing of the peer.
func TestPaceWaits(t *testing.T) {
	t.Parallel()
	ours, theirs := tcpPair(t)
	raw, err := ours.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	wait := func(p *pace) (errno syscall.Errno) {
		t.Helper()
		if err := raw.Control(func(fd uintptr) {
			if err := errors.Join(bound(int(fd)), unix.SetNonblock(int(fd), false)); err != nil {
				t.Error(err)
			}
			errno = p.wait(fd)
		}); err != nil {
			t.Error(err)
		}
		return errno
	}
	var p pace
	for n := 0; n < 1000 && p.awake.misses.Load() < 5; n++ { // a look that others interrupt does not count
		if errno := wait(&p); errno != syscall.EAGAIN {
			t.Fatalf("nothing came: %v", errno)
		}
	}
	if p.awake.misses.Load() != 5 || p.awake.worth() || p.quick() {
		t.Errorf("after 5 waits in vain: %d awake, worth it %v, asleep %v", p.awake.misses.Load(), p.awake.worth(), p.quick())
	}
	if _, err := theirs.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	var q pace
	for range 100 { // until it has come
		if wait(&q) == 0 {
			break
		}
	}
	awake, asleep := p.awake.misses.Load(), p.asleep.misses.Load()
	if errno := wait(&p); errno != 0 || p.awake.misses.Load() != awake || p.asleep.misses.Load() != asleep || asleep < 5 {
		t.Errorf("what is there: %v; in vain %d awake of %d, %d asleep of %d", errno, p.awake.misses.Load(), awake, p.asleep.misses.Load(), asleep)
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
	waits := func(turns int, vain bool) (n int) {
		for range turns {
			if p.quick() {
				n++
				p.asleep.took(vain, 0)
			}
		}
		return n
	}
	if n := waits(100, false); n != 100 {
		t.Errorf("%d waits of 100 for a quick peer", n)
	}
	if n := waits(2000, true); n < 5 || n > 15 {
		t.Errorf("%d waits of 2000 for a slow peer", n)
	}
	waits(1<<maxMisses+1, false)
	if n := waits(100, false); n != 100 {
		t.Errorf("%d waits of 100 once it is quick again", n)
	}
	var r row
	for n := range 6 {
		if !r.worth() {
			t.Errorf("after %d waits in vain it is not worth one more, though 4 are forgiven", n)
		}
		if r.took(true, 4); n == 4 {
			break
		}
	}
	if r.worth() {
		t.Error("after 5 waits in vain the next is worth it")
	}
	for i := range 3 * maxPaces {
		all.of(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))
	}
	if len(all.m) > maxPaces {
		t.Errorf("%d paces are remembered", len(all.m))
	}
}
