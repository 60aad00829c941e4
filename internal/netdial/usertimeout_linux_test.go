package netdial

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/policy"
	"locator/scheme"
)

// A session whose network fails ends in the same time whether something was typed or not:
// unacknowledged bytes have the time limit that keepalive has without them.
//
// Covers: A10
func TestUserTimeout(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := &Dialer{Policy: policy.New(policy.Options{})}
	for interactive, want := range map[bool]time.Duration{true: userTimeout, false: 0} {
		c, err := d.Dial(t.Context(), &Request{Dial: scheme.Dial{Network: "tcp", Purpose: scheme.ForControl, Scheme: "telnet", Addr: l.Addr().String(), Interactive: interactive}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		raw, err := c.Conn.(*net.TCPConn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		err = raw.Control(func(fd uintptr) {
			ms, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT)
			if got := time.Duration(ms) * time.Millisecond; err != nil || got != want {
				t.Errorf("interactive %v: %v, want %v (%v)", interactive, got, want, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
