package gateway

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"locator"
)

// What all spools in memory have together has a bound, and what they do not take is not counted.
//
// Covers: P5
func TestMemorySpools(t *testing.T) {
	var used atomic.Int64
	var all []*memory
	piece := make([]byte, maxMemory)
	for range maxMemories / maxMemory {
		m := &memory{used: &used}
		if err := m.append(piece); err != nil {
			t.Fatal(err)
		}
		if err := m.append(piece[:1]); err == nil {
			t.Fatal("a spool takes more than its bound")
		}
		all = append(all, m)
	}
	more := &memory{used: &used}
	for range 100 {
		if err := more.append(piece[:1]); err == nil {
			t.Fatal("the spools take more than their bound")
		}
	}
	more.close("")
	all[0].close("")
	if err := more.append(piece); err != nil || used.Load() != maxMemories {
		t.Errorf("%v, %d bytes", err, used.Load())
	}
}

// A flight that nobody waits for is not joined, since it is being cancelled, and one that lands does not take another one of its name away.
func TestFlightOver(t *testing.T) {
	g := serve(t, Options{Service: Service{Cache: &Cache{}}}).g
	f, x := g.cache.fly("a")
	f.cancel = func() {}
	f.leave(x)
	if other, y := g.cache.fly("a"); other != f || y != nil {
		t.Errorf("a flight without clients is joined: %v", y)
	}
	g.cache.purge(locator.MustParse("ftp://host.dom/"))
	g.cache.mu.Lock()
	delete(g.cache.flights, "a") // as purge does
	g.cache.mu.Unlock()
	other, y := g.cache.fly("a")
	if other == f || !y.first {
		t.Fatal("no new flight")
	}
	f.end(false)
	if again, z := g.cache.fly("a"); again != other || z == nil || z.first {
		t.Error("the flight was taken away")
	}
}

// A client that leaves with the last byte does not keep the response from the store; one that leaves before that ends it.
func TestFlightLeft(t *testing.T) {
	g := serve(t, Options{Service: Service{Cache: &Cache{Folder: t.TempDir()}}}).g
	for _, c := range []struct {
		name, length, body string
		kept               bool
	}{{"whole", "4", "text", true}, {"part", "5", "text", false}, {"unknown", "", "text", false}} {
		f, x := g.cache.fly(c.name)
		cancelled := false
		f.cancel = func() { cancelled = true }
		f.Header().Set("Content-Length", c.length)
		f.share(&meta{Fresh: time.Hour})
		f.WriteHeader(http.StatusOK)
		if _, err := f.Write([]byte(c.body)); err != nil {
			t.Fatal(err)
		}
		f.leave(x)
		f.end(!cancelled)
		if k := g.cache.store.use(c.name); cancelled == c.kept || (k != nil) != c.kept {
			t.Errorf("%s: cancelled %t, kept %t", c.name, cancelled, k != nil)
		}
	}
}
