package gateway

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// A client that leaves with the last byte does not keep the response from the store; one that leaves before that ends it. A server that
// does not say that this was all is not waited for long, and meanwhile the client counts as one.
func TestFlightLeft(t *testing.T) {
	g := serve(t, Options{Service: Service{Cache: &Cache{Folder: t.TempDir()}}}).g
	for _, c := range []struct {
		name, length, body string
		waits, kept        bool
	}{{"whole", "4", "text", true, true}, {"never ends", "4", "text", true, false}, {"too much", "4", "texts", false, false}, {"part", "5", "text", false, false}, {"unknown", "", "text", false, false}} {
		synctest.Test(t, func(t *testing.T) {
			f, x := g.cache.fly(c.name)
			ctx, cancel := context.WithCancel(t.Context())
			f.cancel = cancel
			f.Header().Set("Content-Length", c.length)
			f.share(&meta{Fresh: time.Hour})
			f.WriteHeader(http.StatusOK)
			if _, err := f.Write([]byte(c.body)); err != nil {
				t.Fatal(err)
			}
			left := make(chan bool)
			go func() {
				f.leave(x)
				close(left)
			}()
			synctest.Wait()
			if waits := ctx.Err() == nil; waits != c.waits {
				t.Errorf("%s: goes on: %t", c.name, waits)
			}
			select {
			case <-left:
				if c.waits {
					t.Errorf("%s: the client has left", c.name)
				}
			default:
				if !c.waits {
					t.Errorf("%s: the client waits", c.name)
				}
			}
			if begun := time.Now(); !c.kept {
				if <-ctx.Done(); time.Since(begun) > lateTime {
					t.Errorf("%s: ended after %v", c.name, time.Since(begun))
				}
			}
			f.end(ctx.Err() == nil)
			<-left
			if k := g.cache.store.use(c.name); (k != nil) != c.kept {
				t.Errorf("%s: kept %t", c.name, k != nil)
			}
		})
	}
}
