package waistest

import (
	"fmt"
	"testing"
	"time"
)

// closer is a connection that reports whether it is closed.
type closer struct{ closed bool }

func (c *closer) Close() error { c.closed = true; return nil }

// Addresses that hold all connections leave room for others: what is idle makes room, and what is used does not.
//
// Covers: A11
func TestClients(t *testing.T) {
	t.Parallel()
	var c clients
	now := time.Unix(0, 0)
	var of [3][]*closer // by address
	open := func(i int) bool {
		x := &closer{}
		of[i] = append(of[i], x)
		return c.admit(x, fmt.Sprintf("192.0.2.%d", i), now)
	}
	closed := func(i int) (n int) {
		for _, x := range of[i] {
			if x.closed {
				n++
			}
		}
		return n
	}
	for n := range maxOfAddress { // two addresses take all connections
		if !open(0) || !open(1) {
			t.Fatalf("connection %d is refused", n+1)
		}
	}
	if open(0) || open(2) {
		t.Error("there are too many connections, and all are new")
	}
	now = now.Add(graceTime)
	for _, x := range of[1] {
		c.asked(x, now)
	}
	if !open(2) || closed(0) != 1 || closed(1) != 0 {
		t.Errorf("for another address, %d and %d are closed", closed(0), closed(1))
	}
	if open(0) {
		t.Error("the address with the most connections loses one that is used")
	}
	now = now.Add(graceTime)
	if !open(1) || closed(1) != 1 {
		t.Errorf("an address with too many: %d of its connections are closed", closed(1))
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
