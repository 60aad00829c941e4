package transfer

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"locator"
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
				if !yield(Job{Host: host, Do: func(context.Context, iter.Seq[locator.URL]) {
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
			if !yield(Job{Host: host, Do: func(context.Context, iter.Seq[locator.URL]) { do(i) }}) {
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
				yield(Job{Host: "slow", Do: func(context.Context, iter.Seq[locator.URL]) { time.Sleep(time.Hour) }})
			}
			for i := range 600 {
				yield(Job{Host: fmt.Sprint("fast", i%6), Do: func(context.Context, iter.Seq[locator.URL]) {
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
				if !yield(Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) { time.Sleep(time.Second) }}) {
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
		time.Sleep((lookAhead/2 + 10) * time.Second)
		synctest.Wait()
		if n := taken.Load(); n < lookAhead*3/2 {
			t.Errorf("only %d jobs were taken when half of those that waited had run", n)
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
			for yield(Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) {
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

// sequenceOf returns jobs of one host that have URLs, and record their order.
func sequenceOf(t *testing.T, host string, names []string, do func(name string, next iter.Seq[locator.URL])) iter.Seq[Job] {
	t.Helper()
	return func(yield func(Job) bool) {
		for _, name := range names {
			u := locator.MustParse("ftp://" + host + "/" + name)
			if !yield(Job{Host: host, URL: u, Do: func(_ context.Context, next iter.Seq[locator.URL]) { do(name, next) }}) {
				return
			}
		}
	}
}

// pathsOf returns the paths of URLs.
func pathsOf(urls iter.Seq[locator.URL]) (paths []string) {
	for u := range urls {
		p, _ := u.Path()
		paths = append(paths, p)
	}
	return paths
}

// A job gets the URL that its worker accesses next, and that worker does access it, whatever the
// others take meanwhile.
func TestQueueNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		promised, order, last := map[string]string{}, "", []iter.Seq[locator.URL]{}
		Queue{Parallel: 2, PerHost: 2}.Run(t.Context(), sequenceOf(t, "h", strings.Split("1234567", ""), func(name string, next iter.Seq[locator.URL]) {
			mu.Lock()
			order += name
			last = append(last, next)
			mu.Unlock()
			time.Sleep(map[string]time.Duration{"2": 1500 * time.Millisecond}[name] + time.Second)
			mu.Lock()
			paths := pathsOf(next)
			if again := pathsOf(next); !slices.Equal(paths, again) {
				t.Errorf("%s: %q, then %q", name, paths, again)
			}
			for _, p := range paths {
				promised[name] = p
			}
			mu.Unlock()
			if name == "1" {
				time.Sleep(4 * time.Second)
			}
		}))
		want := map[string]string{"1": "3", "2": "4", "4": "5", "5": "6", "6": "7"}
		if len(promised) != len(want) {
			t.Errorf("%v", promised)
		}
		for name, p := range want {
			if promised[name] != p {
				t.Errorf("%s is followed by %q, not %q", name, promised[name], p)
			}
		}
		if order[2:] != "45637" {
			t.Errorf("the order %s", order)
		}
		for _, next := range last {
			if paths := pathsOf(next); len(paths) > 0 {
				t.Errorf("after the end, %q", paths)
			}
		}
	})
}

// A worker that would go to another host next promises nothing; neither does one whose next job has
// no URL, nor one without a next job.
func TestQueueNextElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := map[string][]string{}
		jobs := func(yield func(Job) bool) {
			for _, name := range []string{"h/1", "h/2", "g/1", "h/3", "-", "h/4"} {
				host, _, _ := strings.Cut(name, "/")
				job := Job{Host: host, Do: func(_ context.Context, next iter.Seq[locator.URL]) {
					time.Sleep(time.Second)
					got[name] = pathsOf(next)
				}}
				if name == "-" {
					job.Host = "h"
				} else {
					job.URL = locator.MustParse("ftp://" + name)
				}
				if !yield(job) {
					return
				}
			}
		}
		Queue{}.Run(t.Context(), jobs)
		for name, want := range map[string]string{"h/1": "[2]", "h/2": "[]", "g/1": "[]", "h/3": "[]", "-": "[4]", "h/4": "[]"} {
			if s := fmt.Sprint(got[name]); s != want {
				t.Errorf("%s: %s, not %s", name, s, want)
			}
		}
	})
}

// What the sequence does itself counts as a job: with one job per host it waits for all that wait,
// with more of them for the first that ends.
func TestQueueHold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ perHost, first, want int }{{1, 5, 5}, {3, 10, 1}, {3, 2, 0}} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			running, most, done, held := 0, 0, 0, -1
			enter := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				running += n
				most = max(most, running)
			}
			job := Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) {
				enter(1)
				time.Sleep(time.Second)
				enter(-1)
				mu.Lock()
				defer mu.Unlock()
				done++
			}}
			s := Queue{Parallel: 9, PerHost: test.perHost}.Schedule(t.Context())
			s.Run(func(yield func(Job) bool) {
				for range test.first {
					yield(job)
				}
				release := s.Hold("h")
				mu.Lock()
				held = done
				mu.Unlock()
				enter(1)
				time.Sleep(10 * time.Second)
				enter(-1)
				release()
				release()
				for range 4 {
					yield(job)
				}
			})
			if held < test.want || held > test.want+test.perHost || most > test.perHost || done != test.first+4 {
				t.Errorf("%+v: held after %d of %d jobs, %d at once", test, held, done, most)
			}
			if s.running != 0 || len(s.busy) != 0 {
				t.Errorf("%+v: %d jobs run, %v", test, s.running, s.busy)
			}
		})
	}
}

// Hold begins when the first job ends that makes room for it, or with one job at once after all
// that wait. When it ends, a job that waits begins at once.
func TestQueueHoldOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		parallel, perHost int
		interval          time.Duration   // in seconds
		jobs              []time.Duration // their times, in seconds
		held              time.Duration   // when it begins; it ends a second later
		begun             []time.Duration // when the jobs begin
	}{
		{2, 2, 0, []time.Duration{1, 10, 1, 1}, 1, []time.Duration{0, 0, 2, 3}},
		{9, 2, 0, []time.Duration{1, 10, 1, 1}, 1, []time.Duration{0, 0, 2, 3}},
		{1, 2, 0, []time.Duration{1, 1, 1}, 3, []time.Duration{0, 1, 2}},
		{2, 1, 0, []time.Duration{1, 1, 1}, 3, []time.Duration{0, 1, 2}},
		{9, 2, 2, []time.Duration{1, 1}, 2, []time.Duration{0, 4}},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			held, begun := time.Duration(0), make([]time.Duration, len(test.jobs))
			s := Queue{Parallel: test.parallel, PerHost: test.perHost, Interval: test.interval * time.Second}.Schedule(t.Context())
			s.Run(func(yield func(Job) bool) {
				for i, d := range test.jobs {
					yield(Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) {
						begun[i] = time.Since(start) / time.Second
						time.Sleep(d * time.Second)
					}})
				}
				release := s.Hold("h")
				held = time.Since(start) / time.Second
				time.Sleep(time.Second)
				release()
			})
			if held != test.held || !slices.Equal(begun, test.begun) {
				t.Errorf("%+v: held at %d, jobs at %d", test, held, begun)
			}
		})
	}
}

// The worker gets the job that it would get if its job ended now: one with a URL, of the same host,
// once.
func TestQueueAssign(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("ftp://h/x")
	for name, test := range map[string]struct {
		change func(s *Schedule, r *runningJob)
		want   bool
	}{
		"free":                  {func(*Schedule, *runningJob) {}, true},
		"over":                  {func(_ *Schedule, r *runningJob) { r.over = true }, false},
		"stopped":               {func(s *Schedule, _ *runningJob) { s.stopped = true }, false},
		"interval":              {func(s *Schedule, _ *runningJob) { s.interval = time.Second }, false},
		"no host":               {func(_ *Schedule, r *runningJob) { r.job.Host = "" }, false},
		"another host":          {func(s *Schedule, _ *runningJob) { s.waiting[0].Host = "g" }, false},
		"no URL":                {func(s *Schedule, _ *runningJob) { s.waiting[0].URL = locator.URL{} }, false},
		"Hold comes first":      {func(s *Schedule, _ *runningJob) { s.wanted, s.perHost, s.limit = "h", 2, 2; s.running++ }, false},
		"Hold comes afterwards": {func(s *Schedule, _ *runningJob) { s.wanted = "h" }, true},
	} {
		s := Queue{}.Schedule(t.Context())
		s.waiting = []Job{{Host: "h", URL: u}, {Host: "h", URL: u}}
		s.begin("h")
		r := &runningJob{s: s, job: Job{Host: "h"}}
		test.change(s, r)
		running := s.running
		for range 2 {
			if got := r.assign(); got != test.want || (r.next != nil) != test.want {
				t.Errorf("%s: %v, next %v; want %v", name, got, r.next, test.want)
			}
		}
		want := 2
		if test.want {
			want = 1
		}
		if len(s.waiting) != want || s.running != running || s.busy["h"] != 1 {
			t.Errorf("%s: %d jobs wait, %d run, %v", name, len(s.waiting), s.running, s.busy)
		}
		if r.over = true; r.assign() {
			t.Errorf("%s: assigned after the end", name)
		}
	}
}

// Workers without a job get the next one of a slow sequence, and end with the sequence or with the
// context.
func TestQueueIdle(t *testing.T) {
	t.Parallel()
	for _, cancelled := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 35*time.Second)
			defer cancel()
			n, start := 0, time.Now()
			Queue{Parallel: 2}.Run(ctx, func(yield func(Job) bool) {
				for range 3 {
					yield(Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) { n++ }})
					time.Sleep(10 * time.Second)
				}
				if cancelled {
					<-ctx.Done()
				}
			})
			want := 30 * time.Second
			if cancelled {
				want = 35 * time.Second
			}
			if n != 3 || time.Since(start) != want {
				t.Errorf("%d jobs in %v", n, time.Since(start))
			}
		})
	}
}

// Cancelled, the queue holds nothing.
func TestQueueHoldCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := Queue{}.Schedule(ctx)
		s.Run(func(yield func(Job) bool) {
			yield(Job{Host: "h", Do: func(ctx context.Context, _ iter.Seq[locator.URL]) { <-ctx.Done() }})
			s.Hold("h")()
			s.Hold("")()
			if ctx.Err() == nil {
				t.Error("Hold did not wait")
			}
		})
		if s.running != 0 {
			t.Errorf("%d jobs run", s.running)
		}
	})
	synctest.Test(t, func(t *testing.T) { // in the middle of what it holds
		ctx, cancel := context.WithCancel(t.Context())
		s := Queue{Parallel: 2, PerHost: 2}.Schedule(ctx)
		var n atomic.Int32
		job := func(d time.Duration) Job {
			return Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) { n.Add(1); time.Sleep(d) }}
		}
		s.Run(func(yield func(Job) bool) {
			yield(job(time.Second))
			yield(job(time.Minute))
			yield(job(time.Second)) // it waits
			release := s.Hold("h")
			cancel()
			synctest.Wait()
			release()
		})
		if n.Load() != 2 || s.running != 0 {
			t.Errorf("%d jobs began, %d run", n.Load(), s.running)
		}
	})
}

// Two jobs of one host begin at least an interval apart, also one that Hold stands for. Other hosts
// do not wait for it.
//
// Covers: K2
func TestQueueInterval(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		perHost int
		job     time.Duration
		want    []time.Duration // when the jobs of a host begin
	}{
		{1, 100 * time.Millisecond, []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second}},
		{2, 100 * time.Millisecond, []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second}},
		{1, 3 * time.Second, []time.Duration{0, 3 * time.Second, 6 * time.Second, 9 * time.Second, 12 * time.Second}},
		{2, 3 * time.Second, []time.Duration{0, time.Second, 3 * time.Second, 4 * time.Second, 6 * time.Second}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			start, begun := time.Now(), map[string][]time.Duration{}
			s := Queue{Parallel: 9, PerHost: test.perHost, Interval: time.Second}.Schedule(t.Context())
			s.Run(func(yield func(Job) bool) {
				for i := range 15 {
					host := []string{"h", "g", ""}[i%3]
					yield(Job{Host: host, URL: locator.MustParse("ftp://h/x"), Do: func(_ context.Context, next iter.Seq[locator.URL]) {
						mu.Lock()
						begun[host] = append(begun[host], time.Since(start))
						mu.Unlock()
						time.Sleep(test.job)
						if paths := pathsOf(next); len(paths) > 0 {
							t.Errorf("the worker is to access %q next", paths)
						}
					}})
				}
			})
			if !slices.Equal(begun["h"], test.want) || !slices.Equal(begun["g"], test.want) || slices.Max(begun[""]) > test.job {
				t.Errorf("%d at once, of %v: %v", test.perHost, test.job, begun)
			}
			if took, want := time.Since(start), test.want[4]+test.job; took != want {
				t.Errorf("it took %v, want %v", took, want)
			}
			if s.running != 0 || len(s.busy) != 0 {
				t.Errorf("%d jobs run, %v", s.running, s.busy)
			}
		})
	}
}

// What the sequence does itself begins a pause, and waits for the end of one.
func TestQueueIntervalHold(t *testing.T) {
	t.Parallel()
	for _, perHost := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var begun []time.Duration
			s := Queue{Parallel: 3, PerHost: perHost, Interval: time.Second}.Schedule(t.Context())
			s.Run(func(yield func(Job) bool) {
				for range 3 {
					release := s.Hold("h")
					begun = append(begun, time.Since(start))
					release()
					yield(Job{Host: "h", Do: func(context.Context, iter.Seq[locator.URL]) { begun = append(begun, time.Since(start)) }})
					synctest.Wait()
				}
			})
			want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second}
			if slices.Sort(begun); !slices.Equal(begun, want) {
				t.Errorf("%d at once: %v", perHost, begun)
			}
		})
	}
}

// The end of a pause starts the job that finds no room among those that wait.
func TestQueueIntervalLookAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start, begun := time.Now(), []time.Duration(nil)
		g := Job{Host: "g", Do: func(context.Context, iter.Seq[locator.URL]) { begun = append(begun, time.Since(start)) }}
		Queue{Parallel: 9, Interval: time.Second}.Run(ctx, func(yield func(Job) bool) {
			yield(g)
			for range lookAhead + 1 {
				yield(Job{Host: "h", Do: func(ctx context.Context, _ iter.Seq[locator.URL]) { <-ctx.Done() }})
			}
			yield(g)
			<-ctx.Done()
		})
		if !slices.Equal(begun, []time.Duration{0, time.Second}) {
			t.Errorf("%v", begun)
		}
	})
}

// A cancelled queue does not wait for the end of a pause.
func TestQueueIntervalCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		n, start := 0, time.Now()
		Queue{Interval: time.Second}.Run(ctx, numbered(10, "h", func(int) { n++ }))
		if n != 3 || time.Since(start) != 2500*time.Millisecond {
			t.Errorf("%d jobs in %v", n, time.Since(start))
		}
	})
}
