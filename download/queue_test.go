package download

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// As many jobs run at once as the limits allow, and no more.
//
// Covers: K2
func TestQueueBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most, all, done := map[string]int{}, map[string]int{}, 0, 0
		jobs := func(yield func(Job) bool) {
			for i := range 3000 {
				host := fmt.Sprint("h", i%5)
				if i%50 == 0 {
					host = ""
				}
				if !yield(Job{Host: host, Do: func(context.Context, bool) {
					mu.Lock()
					now[host]++
					all++
					most[host], most["all"] = max(most[host], now[host]), max(most["all"], all)
					mu.Unlock()
					time.Sleep(time.Second)
					mu.Lock()
					now[host]--
					all--
					done++
					mu.Unlock()
				}}) {
					return
				}
			}
		}
		start := time.Now()
		Queue{Parallel: 8, PerHost: 2}.Run(t.Context(), jobs)
		if done != 3000 || most["all"] != 8 {
			t.Errorf("%d jobs, %d at once", done, most["all"])
		}
		for i := range 5 {
			if host := fmt.Sprint("h", i); most[host] != 2 {
				t.Errorf("%s: %d at once", host, most[host])
			}
		}
		if took := time.Since(start); took > 380*time.Second { // 3000 / 8
			t.Errorf("it took %v", took)
		}
	})
}

// Jobs of one host run in order. The zero value runs one job at a time.
func TestQueueOrder(t *testing.T) {
	t.Parallel()
	for _, q := range []Queue{{Parallel: 5, PerHost: 1}, {}, {Parallel: 1, PerHost: 9}} {
		var got []int
		q.Run(t.Context(), numbered(100, "h", func(i int) { got = append(got, i) }))
		if len(got) != 100 || !slices.IsSorted(got) {
			t.Errorf("%+v: %v", q, got)
		}
	}
}

func numbered(n int, host string, do func(i int)) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for i := range n {
			if !yield(Job{Host: host, Do: func(context.Context, bool) { do(i) }}) {
				return
			}
		}
	}
}

// A slow host delays no other, as long as its jobs do not fill the look-ahead.
//
// Covers: K2
func TestQueueSlowHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var fast atomic.Int64
		var last time.Duration
		jobs := func(yield func(Job) bool) {
			for range 500 {
				yield(Job{Host: "slow", Do: func(context.Context, bool) { time.Sleep(time.Hour) }})
			}
			for i := range 600 {
				yield(Job{Host: fmt.Sprint("fast", i%6), Do: func(context.Context, bool) {
					time.Sleep(time.Second)
					if fast.Add(1) == 600 {
						last = time.Since(start)
					}
				}})
			}
		}
		Queue{Parallel: 8, PerHost: 2}.Run(t.Context(), jobs)
		if fast.Load() != 600 || last > 101*time.Second { // 600 jobs, six at once
			t.Errorf("%d fast jobs in %v", fast.Load(), last)
		}
	})
}

// The queue takes no more jobs than the look-ahead holds.
func TestQueueLookAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var taken atomic.Int64
		jobs := func(yield func(Job) bool) {
			for range 10 * lookAhead {
				taken.Add(1)
				if !yield(Job{Host: "h", Do: func(context.Context, bool) { time.Sleep(time.Second) }}) {
					return
				}
			}
		}
		done := make(chan bool)
		go func() { Queue{Parallel: 9, PerHost: 1}.Run(t.Context(), jobs); close(done) }()
		synctest.Wait()
		if n := taken.Load(); n > lookAhead+2 {
			t.Errorf("%d jobs were taken ahead", n)
		}
		<-done
		if n := taken.Load(); n != 10*lookAhead {
			t.Errorf("%d jobs", n)
		}
	})
}

// A cancelled queue starts no more jobs, waits for those that run, and ends with its sequence.
func TestQueueCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		var begun, ended atomic.Int64
		sequence := false
		jobs := func(yield func(Job) bool) {
			defer func() { sequence = true }()
			for yield(Job{Host: "h", Do: func(context.Context, bool) {
				begun.Add(1)
				time.Sleep(time.Second)
				ended.Add(1)
			}}) {
			}
		}
		start := time.Now()
		Queue{Parallel: 4, PerHost: 2}.Run(ctx, jobs)
		if begun.Load() != 6 || ended.Load() != 6 || time.Since(start) != 3*time.Second || !sequence {
			t.Errorf("%d begun, %d ended after %v; the sequence has ended: %v", begun.Load(), ended.Load(), time.Since(start), sequence)
		}
	})
}

// A sequence may block until the context ends, such as one that reads a terminal.
func TestQueueCancelWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		Queue{}.Run(ctx, func(func(Job) bool) { <-ctx.Done() })
		cancel()
		Queue{}.Run(ctx, numbered(5, "", func(int) { t.Error("a job runs after the end") }))
	})
}
