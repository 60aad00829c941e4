package pool

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"locator/internal/hang"
)

// thing is a connection that counts calls of Close.
type thing struct{ closed int }

func (t *thing) Close() error         { t.closed++; return nil }
func (t *thing) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// Put respects PerKey, and connections expire after Idle.
//
// Covers: P6
func TestExpires(t *testing.T) {
	t.Parallel()
	hang.Within(t, 20*time.Second)
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{})
		things := make([]*thing, defaultPerKey+1)
		for i := range things {
			things[i] = &thing{}
			p.Put("k", things[i])
		}
		if things[defaultPerKey].closed != 1 || things[0].closed != 0 {
			t.Error("one too many is closed at once, the others stay")
		}
		if got := p.Take("k"); got != things[defaultPerKey-1] {
			t.Error("the one used last comes first")
		}
		synctest.Wait()
		time.Sleep(defaultIdle + time.Second)
		synctest.Wait()
		for i := range defaultPerKey - 1 {
			if things[i].closed != 1 {
				t.Errorf("thing %d was closed %d times", i, things[i].closed)
			}
		}
		if p.Take("k") != nil || p.n != 0 || len(p.idle) != 0 {
			t.Error("the pool is not empty")
		}
	})
}

// Options override the defaults, and a closed pool keeps no connection.
//
// Covers: P6
func TestOptions(t *testing.T) {
	t.Parallel()
	p := New(Options{PerKey: 2, Total: 3, Idle: time.Hour})
	things := make([]*thing, 5)
	for i := range things {
		things[i] = &thing{}
		p.Put([]string{"a", "b"}[i/3], things[i]) // three of a, two of b
	}
	for i, want := range []int{0, 0, 1, 0, 1} {
		if things[i].closed != want {
			t.Errorf("connection %d was closed %d times, want %d", i, things[i].closed, want)
		}
	}
	p.Close()
	late := &thing{}
	p.Put("a", late)
	for i, c := range append(things, late) {
		if c.closed != 1 {
			t.Errorf("after Close: connection %d was closed %d times", i, c.closed)
		}
	}
}
