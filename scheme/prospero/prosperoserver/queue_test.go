package prosperoserver

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"locator/internal/hostaddr"
	"locator/internal/peers"
)

// counting counts the files that are looked up and the folders that are read.
type counting struct {
	Source
	stats, lists *int
}

func (c counting) Links(p []string) ([]string, int) { *c.stats++; return c.Source.Links(p) }

func (c counting) Stat(p []string) (Item, bool) { *c.stats++; return c.Source.Stat(p) }

func (c counting) List(p []string, match func(string) bool, max int) ([]Item, int, bool) {
	*c.lists++
	return c.Source.List(p, match, max)
}

// blocking has a folder that cannot be read before release is closed.
type blocking struct {
	Source
	release chan struct{}
}

func (b blocking) List(p []string, match func(string) bool, max int) ([]Item, int, bool) {
	if len(p) > 0 && p[0] == "slow" {
		<-b.release
	}
	return b.Source.List(p, match, max)
}

// Requests that take long stop neither the requests of other clients, nor the responses that have
// begun.
//
// Covers: A13, P6, T101
func TestSlowRequests(t *testing.T) {
	t.Parallel()
	s := served(t, []string{"slow/a", "b=" + strings.Repeat("b", 100_000)}, nil)
	release := make(chan struct{})
	s.transport.Lock() // the goroutines of the server run already
	s.files = blocking{s.files, release}
	s.transport.Unlock()
	t.Cleanup(func() { close(release) })
	dial := func(from string) net.Conn {
		c, err := net.DialUDP("udp", &net.UDPAddr{IP: net.ParseIP(from)}, s.conn.LocalAddr().(*net.UDPAddr))
		if err != nil {
			peers.Skip(t, "a system with one address of its own: %v", err)
		}
		t.Cleanup(func() { c.Close() })
		if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	victim := dial("127.0.0.2")
	send := func(c net.Conn, packet []byte) {
		if _, err := c.Write(packet); err != nil {
			t.Fatal(err)
		}
	}
	read := func(c net.Conn, n int) {
		t.Helper()
		for range n {
			if _, err := c.Read(make([]byte, 2048)); err != nil {
				t.Fatal(err)
			}
		}
	}
	content := "GET-OBJECT-INFO CONTENTS ASCII AFTP/b\n"
	send(victim, append(header(1, 1, 1, 0, 7).Append(nil), content...))
	read(victim, 16)
	attacker := dial("127.0.0.1")
	for id := range uint16(100) {
		send(attacker, append(header(id+1, 1, 1, 0, 7).Append(nil), "DIRECTORY ASCII AFTP/slow\nLIST '' COMPONENTS\n"...))
	}
	send(victim, header(1, 0, 0, 16, 9).Append(nil)) // the next window
	read(victim, 16)
	send(victim, append(header(2, 1, 1, 0, 7).Append(nil), content...))
	read(victim, 16)
}

// The queue drops the oldest request of the client with the most, and lets no client have all
// workers.
//
// Covers: A13, P6, T101
func TestQueue(t *testing.T) {
	t.Parallel()
	q := newQueue()
	at := func(addr string, id uint16) *whole {
		return &whole{key: key{netip.AddrPortFrom(netip.MustParseAddr(addr), 1), id}}
	}
	victim := at("192.0.2.1", 1)
	if q.push(victim) != nil {
		t.Fatal("dropped at once")
	}
	for i := range uint16(200) {
		dropped := q.push(at(fmt.Sprintf("2001:db8::%x", i), i))
		if want := i + 1 - maxWaiting; i+1 >= maxWaiting && (dropped == nil || dropped.key.id != want) || i+1 < maxWaiting && dropped != nil {
			t.Fatalf("request %d: dropped %v", i, dropped)
		}
	}
	var taken []*whole
	for range maxRunning + 1 {
		w, _ := q.pop()
		taken = append(taken, w)
	}
	if taken[0] != victim || hostaddr.NetworkOf(taken[1].key.from.Addr()) != hostaddr.NetworkOf(taken[2].key.from.Addr()) {
		t.Errorf("taken %v", taken)
	}
	got := make(chan *whole)
	go func() {
		w, _ := q.pop()
		got <- w
	}()
	select {
	case w := <-got:
		t.Fatalf("a client has %d workers: %v", maxRunning+1, w)
	case <-time.After(50 * time.Millisecond):
	}
	q.done(taken[1])
	if w := <-got; w == nil || hostaddr.NetworkOf(w.key.from.Addr()) != hostaddr.NetworkOf(taken[1].key.from.Addr()) {
		t.Errorf("after one has ended: %v", w)
	}
	q.close()
	if _, ok := q.pop(); ok {
		t.Error("a closed queue has requests")
	}
}
