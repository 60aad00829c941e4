package waisserver

import (
	"fmt"
	"net"
	"testing"
	"time"
)

// closer is a connection that reports whether it is closed.
type closer struct{ closed bool }

func (c *closer) Close() error { c.closed = true; return nil }

// Addresses that hold all connections, and use each of them, cannot keep others out: the address
// with the most loses its oldest.
//
// Covers: A11, T104
func TestClients(t *testing.T) {
	t.Parallel()
	var c clients
	now := time.Unix(0, 0)
	of := make([][]*closer, 4) // by address
	open := func(i int) {
		now = now.Add(time.Second)
		x := &closer{}
		of[i] = append(of[i], x)
		if !c.admit(x, fmt.Sprintf("192.0.2.%d", i), now) {
			t.Fatal("a connection is refused")
		}
		for _, list := range of {
			for _, x := range list {
				if x.closed {
					c.leave(x)
				}
			}
		}
	}
	closed := func(i int) (n int) {
		for _, x := range of[i] {
			if x.closed {
				n++
			}
		}
		return n
	}
	want := func(step string, numbers ...int) {
		t.Helper()
		for i, n := range numbers {
			if got := closed(i); got != n {
				t.Errorf("%s: %d connections of address %d are closed, want %d", step, got, i, n)
			}
		}
	}
	open(2)
	for range maxClients {
		open(0)
	}
	want("an address opens too many", 1, 0, 0, 0)
	for range maxClients {
		for _, x := range append(of[0], of[1]...) { // which are all used
			c.asked(x, now)
		}
		open(0)
		open(1)
	}
	if got := []int{closed(2), len(of[0]) - closed(0), len(of[1]) - closed(1)}; got[0] != 0 || got[1]+got[2] != maxClients-1 || got[1] < 99 || got[1] > 100 {
		t.Errorf("two addresses open too many: %d closed of another address, %d and %d left", got[0], got[1], got[2])
	}
	before := closed(0) + closed(1)
	c.asked(of[2][0], now)
	open(3)
	if closed(2) != 0 || closed(3) != 0 || closed(0)+closed(1) != before+1 {
		t.Errorf("a third and a fourth address: %d and %d are closed, and %d more of the others", closed(2), closed(3), closed(0)+closed(1)-before)
	}
	// The oldest is that without a request for the longest time.
	idle := of[0][len(of[0])-5]
	for _, x := range append(of[0], of[1]...) {
		if x != idle {
			c.asked(x, now.Add(time.Second))
		}
	}
	for range 3 {
		open(0)
	}
	if !idle.closed {
		t.Error("the idle connection is kept")
	}
	for i := range of {
		for _, x := range of[i] {
			c.leave(x)
		}
	}
	if len(c.all) != 0 {
		t.Errorf("%d connections are left", len(c.all))
	}
}

// Connections that were closed count until their last request has ended.
//
// Covers: A11
func TestClosedClients(t *testing.T) {
	t.Parallel()
	var c clients
	var first *closer
	for i := range maxServed {
		x := &closer{}
		if first == nil {
			first = x
		}
		if !c.admit(x, fmt.Sprintf("192.0.2.%d", i%5), time.Unix(int64(i), 0)) {
			t.Fatalf("connection %d is refused", i)
		}
	}
	if !first.closed || c.admit(&closer{}, "192.0.2.9", time.Unix(0, 0)) {
		t.Error("there is no bound")
	}
	c.leave(first)
	if !c.admit(&closer{}, "192.0.2.9", time.Unix(0, 0)) {
		t.Error("one has ended, and a further one is refused")
	}
}

// A connection that was closed is no longer one of those that are open, and is not closed in the
// place of another.
//
// Covers: A11
func TestClosedClientCounts(t *testing.T) {
	t.Parallel()
	var c clients
	var all []*closer
	add := func() (closed int) {
		x := &closer{}
		all = append(all, x)
		c.admit(x, "192.0.2.1", time.Unix(int64(len(all)), 0))
		for _, x := range all {
			if x.closed {
				closed++
			}
		}
		return closed
	}
	for range maxClients + 1 {
		add()
	}
	c.leave(all[maxClients])
	for i, want := range []int{1, 2, 3} {
		if got := add(); got != want {
			t.Errorf("%d: %d were closed, want %d", i, got, want)
		}
	}
}

// from is a connection from an address.
type from struct {
	net.Conn
	addr string
}

func (f from) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", f.addr)
	return a
}

// A host with many IPv6 addresses counts as one.
//
// Covers: A11, T104
func TestAddressOf(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.7:1": "192.0.2.7", "[::ffff:192.0.2.7]:1": "192.0.2.7", "[2001:db8:0:1::7]:1": "2001:db8:0:1::", "[2001:db8:0:1:ffff::8]:2": "2001:db8:0:1::",
		"[2001:db8:0:2::7]:1": "2001:db8:0:2::",
	} {
		if got := addressOf(from{addr: addr}); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
