package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme"
)

// A data connection is made without the poller where policy allows it, and what goes wrong is told as it would be else.
//
// Covers: P5
func TestDialBriefly(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := &asked{}
	c := &Client{opt: Options{Policy: asked}}
	dial := func(ctx context.Context, d scheme.Dial) (net.Conn, bool, error) {
		c.paces = paces{} // of peers that are quick
		return (&operation{c: c}).dialBriefly(ctx, d)
	}
	d := scheme.Dial{Purpose: scheme.ForData, Addr: l.Addr().String(), Dialogue: true}

	conn, ok, err := dial(t.Context(), d)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer conn.Close()
	if polled(conn) || conn.RemoteAddr().String() != d.Addr || !slices.Equal(asked.addrs, []string{d.Addr}) {
		t.Errorf("with the poller: %v; to %v; policy was asked about %q", polled(conn), conn.RemoteAddr(), asked.addrs)
	}
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	go io.WriteString(peer, "hello")
	if got, err := io.ReadAll(io.LimitReader(conn, 5)); string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}

	no := errors.New("not there")
	asked.addr = func(scheme.Dial, netip.AddrPort) error { return no }
	if _, ok, err := dial(t.Context(), d); !ok || !errors.Is(err, no) {
		t.Errorf("against policy: %v, %v", ok, err)
	}
	asked.addr = nil
	l.Close()
	if _, ok, err := dial(t.Context(), d); !ok || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("nobody listens: %v, %v", ok, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, other := range map[string]struct {
		ctx context.Context
		to  func(*scheme.Dial)
	}{
		"no dialogue":  {t.Context(), func(d *scheme.Dial) { d.Dialogue = false }},
		"control":      {t.Context(), func(d *scheme.Dial) { d.Purpose = scheme.ForControl }},
		"a name":       {t.Context(), func(d *scheme.Dial) { d.Addr = "localhost:21" }},
		"a zone":       {t.Context(), func(d *scheme.Dial) { d.Addr = "[fe80::1%lo]:21" }},
		"it has ended": {ended, func(*scheme.Dial) {}},
	} {
		d := d
		other.to(&d)
		if conn, ok, err := dial(other.ctx, d); conn != nil || ok || err != nil {
			t.Errorf("%s: %v, %v, %v", name, conn, ok, err)
		}
	}
	c.opt.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, no }
	if conn, ok, err := dial(t.Context(), d); conn != nil || ok || err != nil {
		t.Errorf("beside the caller's dialer: %v, %v, %v", conn, ok, err)
	}
	c.opt.Dial = nil
	c.paces.of(netip.MustParseAddr("127.0.0.1")).asleep.took(true, 0)
	if conn, ok, err := (&operation{c: c}).dialBriefly(t.Context(), d); conn != nil || ok || err != nil {
		t.Errorf("a slow peer: %v, %v, %v", conn, ok, err)
	}
}

// A port that nobody listens at refuses, even where the system gives it to the connection itself.
func TestDialBrieflyItself(t *testing.T) {
	t.Parallel()
	to := netip.MustParseAddrPort("127.0.0.1:40000") // one of those that systems give to who connects
	for range 30_000 {
		b := &brief{pace: new(pace), remote: net.TCPAddrFromAddrPort(to), fd: -1}
		if err := b.connect(t.Context(), to, 0); !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, syscall.EADDRNOTAVAIL) {
			b.Close()
			t.Fatalf("connected to %v, %v", b.LocalAddr(), err)
		}
	}
}

// IPv6 goes the same way.
func TestDialBrieflyIPv6(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	to := l.Addr().(*net.TCPAddr).AddrPort()
	b := &brief{pace: new(pace), remote: l.Addr(), fd: -1}
	if err := b.connect(t.Context(), to, 0); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if b.LocalAddr().String() != peer.RemoteAddr().String() {
		t.Errorf("it is at %v, and its peer sees %v", b.LocalAddr(), peer.RemoteAddr())
	}
	if _, err := io.WriteString(peer, "x"); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("%d octets, %v", n, err)
	}
}

// Who is connected only after more than a tick is waited for in the poller: until the idle limit, or until the context ends.
//
// Covers: P6
func TestDialBrieflyWaits(t *testing.T) {
	t.Parallel()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(at.(*unix.SockaddrInet4).Port))
	connect := func(ctx context.Context, idle time.Duration) (*brief, error) {
		b := &brief{pace: new(pace), remote: net.TCPAddrFromAddrPort(to), fd: -1}
		err := b.connect(ctx, to, idle)
		return b, err
	}
	first, err := connect(t.Context(), 0) // it fills the queue
	if err != nil || polled(first) {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := connect(t.Context(), 50*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("with an idle limit: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := connect(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a context that ends: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, func() {
		if n, _, err := unix.Accept(fd); err == nil {
			unix.Close(n)
		}
	})
	late, err := connect(t.Context(), time.Minute)
	if err != nil || !polled(late) {
		t.Fatal(err)
	}
	defer late.Close()
	n, _, err := unix.Accept(fd)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(n)
	if _, err := unix.Write(n, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if n, err := late.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("%d octets, %v", n, err)
	}
}

// A connection that we have ended first leaves its port to a server of this machine at once.
func TestDialBrieflyLeavesPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 20 { // the system may give the port to others meanwhile
		var other net.Listener
		if other, err = net.Listen("tcp", leftPort(t, l)); err == nil {
			other.Close()
			return
		}
	}
	t.Error(err)
}

// leftPort is the address of a connection that has ended, our side first.
func leftPort(t *testing.T, l net.Listener) string {
	t.Helper()
	b := &brief{pace: new(pace), remote: l.Addr(), fd: -1}
	if err := b.connect(t.Context(), l.Addr().(*net.TCPAddr).AddrPort(), 0); err != nil {
		t.Fatal(err)
	}
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.CloseWrite(); err != nil {
		t.Error(err)
	}
	if _, err := peer.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	peer.Close()
	if _, err := b.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	at := b.LocalAddr().String()
	b.Close()
	return at
}
