package check

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/scheme"
)

// A host where nothing answers is asked a few times only, but one URL says nothing about the others
// unless all in a row failed, and failed at this host.
func TestNothingAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		retry   time.Duration
		at      int // requests at once
		paths   string
		asked   string // how often each is asked
		verdict string // of each
	}{
		{"dead", time.Second, 1, "dead dead dead dead dead dead", "2 1 1 0 0 0", "broken broken broken broken broken broken"},
		{"dead, with several requests at once", time.Second, 3, "dead dead dead dead dead dead", "2 1 1 1 0 0", "broken broken broken broken broken broken"},
		{"no second attempt", -1, 1, "dead dead dead dead dead", "1 1 1 1 1", "broken broken broken broken broken"},
		{"not in a row", time.Second, 1, "later later ok later later", "2 2 1 2 2", "ok ok ok ok ok"},
		{"alive again", time.Second, 1, "later later later later later ok", "2 2 2 1 1 1", "ok ok ok ok ok ok"},
		{"alive, but the first answer is wrong", time.Second, 1, "wrong wrong wrong wrong wrong", "2 2 2 2 2", "broken broken broken ok ok"},
		{"alive in the next turn, but the first answer is wrong", 3 * time.Second, 1, "wrong wrong wrong wrong wrong", "2 2 2 2 2", "broken broken broken ok ok"},
		{"another host", time.Second, 1, "to to to to ok", "2 2 2 2 1", "broken broken broken broken ok"},
		{"it stops", time.Second, 1, "ok dead dead dead dead dead", "1 2 1 1 0 0", "ok unsure unsure unsure unsure unsure"},
		{"it stops, no second attempt", -1, 1, "ok dead dead", "1 1 1", "ok unsure unsure"},
		{"it stops, and only has answered that nothing is there", time.Second, 1, "missing dead dead", "2 2 2", "broken unsure unsure"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			seen, wrong, begun := make(map[string]int), make(map[string]bool), time.Now()
			c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
				time.Sleep(max(time.Millisecond, time.Since(begun)/10)) // a second attempt takes longer
				mu.Lock()
				defer mu.Unlock()
				path, _ := u.Path()
				seen[path]++
				kind := strings.TrimRight(path, "0123456789")
				switch {
				case kind == "dead", kind != "ok" && kind != "to" && time.Since(begun) < time.Second/2:
					return nil, &scheme.Error{Code: scheme.CodeUnreachable, Err: syscall.ECONNREFUSED}
				case kind == "missing":
					return nil, &scheme.Error{Code: scheme.CodeNotFound, Reply: "404 Not Found"}
				case kind == "wrong" && !wrong[path]:
					wrong[path] = true
					return nil, scheme.Fail(scheme.CodeNotFound, "not found")
				case kind == "to":
					return &scheme.Resource{URL: u, Kind: scheme.KindReferral, Next: []scheme.Entry{{URL: locator.MustParse("http://b.example/dead")}}}, nil
				}
				return there(u)
			}).client(t)
			var urls, asked, verdicts []string
			for i, path := range strings.Fields(tt.paths) {
				urls = append(urls, fmt.Sprintf("http://u%d@a.example/%s%d", i, path, i))
			}
			r := runOf(t, c, urls...)
			w := &Worker{Checker: &Checker{Client: c, RetryAfter: tt.retry, Manners: func(string) Manners { return Manners{PerHost: tt.at, Interval: 100 * time.Microsecond} }}, Parallel: 4}
			if err := w.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			for i, res := range resultsOf(t, r) {
				_, path, _ := strings.Cut(urls[i], "example/")
				asked = append(asked, fmt.Sprint(seen[path]))
				verdicts = append(verdicts, string(res.Verdict))
			}
			if got := strings.Join(asked, " "); got != tt.asked {
				t.Errorf("%s: asked %s times, want %s", tt.name, got, tt.asked)
			}
			if got := strings.Join(verdicts, " "); got != tt.verdict {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.verdict)
			}
		})
	}
}

// That a server has answered is known to another worker that goes on with the run. It says nothing
// about another port or host.
func TestStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			if path, _ := u.Path(); path == "1" {
				return there(u)
			}
			return nil, &scheme.Error{Code: scheme.CodeUnreachable, Err: syscall.ECONNREFUSED}
		}).client(t)
		r := runOf(t, c, "http://u:secret@a.example/1", "http://a.example/2", "http://a.example:81/3", "http://b.example/4")
		for _, ctx := range []context.Context{ctx, t.Context()} {
			w := &Worker{Checker: &Checker{Client: c}, Parallel: 1, Decided: func(*Result) { stop() }}
			if err := w.Run(ctx, r); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(r.(*memoryRun).hosts["a.example"].Answered); got != "[http://a.example]" {
			t.Errorf("%s has answered, want http://a.example", got)
		}
		for i, want := range []Verdict{OK, Unsure, Broken, Broken} {
			if res := resultsOf(t, r)[i]; res.Verdict != want || want != OK && res.Why != WhyUnreachable {
				t.Errorf("%s: %s %s (%s), want %s", res.URL, res.Verdict, res.Why, res.Note, want)
			}
		}
	})
}

// A URL that is decided by the attempt at another of its host is judged by its own history.
func TestDeadWithHistory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := fake(func(context.Context, locator.URL) (*scheme.Resource, error) {
			return nil, &scheme.Error{Code: scheme.CodeUnreachable, Err: syscall.ECONNREFUSED}
		}).client(t)
		var urls []string
		for i := range 2 * deadAfter {
			urls = append(urls, fmt.Sprintf("http://a.example/%d", i))
		}
		r := runOf(t, c, urls...).(*memoryRun)
		for i, url := range urls {
			if i != len(urls)-1 {
				r.byKey[url].task.Before = &Memory{Verdict: OK, Worked: time.Now().Add(-time.Hour)}
			}
		}
		w := &Worker{Checker: &Checker{Client: c}, Parallel: 1}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		for i, res := range resultsOf(t, r) {
			want := Failing
			if i == len(urls)-1 {
				want = Broken
			}
			if res.Verdict != want || res.Fails != 1 || res.Memory.Fails != 1 {
				t.Errorf("%s: %s, %d failures in a row, %d in the history; want %s, 1", res.URL, res.Verdict, res.Fails, res.Memory.Fails, want)
			}
		}
	})
}

// That a server without a host refuses too often says nothing about other URLs without one: another
// server may answer for them.
func TestRefusalsWithoutHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			if asked.Add(1) <= maxRefusals {
				return nil, scheme.Fail(scheme.CodeLimited, "too many requests")
			}
			return there(u)
		}).client(t)
		r, err := NewMemory(nil).Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var links []Link
		for i := range 4 {
			url := fmt.Sprintf("http://a.example/%d", i)
			links = append(links, Link{Key: url, URL: url})
		}
		if _, err := r.Add(t.Context(), links); err != nil {
			t.Fatal(err)
		}
		if err := r.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		w := &Worker{Checker: &Checker{Client: c, RetryAfter: -1, Manners: func(string) Manners { return Manners{PerHost: 1} }}}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if info, err := r.Info(t.Context()); err != nil || info.Verdicts[Blocked] != 1 || info.Verdicts[OK] != 3 {
			t.Errorf("verdicts %v, %v; want one blocked, three ok", info.Verdicts, err)
		}
	})
}

// Until when a host is left alone is known from the bucket, and goes back to it.
func TestHostState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := fake(func(context.Context, locator.URL) (*scheme.Resource, error) {
			return nil, &scheme.Error{Code: scheme.CodeLimited, RetryAfter: time.Minute}
		}).client(t)
		r := runOf(t, c, "http://a.example/", "http://b.example/").(*memoryRun)
		begun := time.Now()
		h := r.hosts["a.example"]
		h.Next, h.Asked = begun.Add(4*time.Minute), true
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		w := &Worker{Checker: &Checker{Client: c}}
		if err := w.Run(ctx, r); err != nil {
			t.Fatal(err)
		}
		next, _ := w.machines.of("a.example", w.Checker).after(Manners{})
		if got := next.Sub(begun); got != 4*time.Minute {
			t.Errorf("the worker leaves a.example alone for %v, want four minutes", got)
		}
		if got := r.hosts["b.example"].Next.Sub(begun); got != time.Minute {
			t.Errorf("the bucket leaves b.example alone for %v, want a minute", got)
		}
	})
}

// What ends because the work ends says nothing about a URL.
func TestEndOfWork(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, whole := range []context.Context{t.Context(), ended} {
		c := &Checker{Client: fake(nil).client(t)}
		c.RetryAfter = -1
		w := &Worker{Checker: c}
		w.init()
		h := &hold{w: w, c: c, whole: whole, queues: make(map[string]*queue)}
		h.queue("a.example", time.Now())
		out := &attempt{result: &Result{Verdict: Unsure, Why: WhyServer}, err: context.Canceled}
		h.end(&request{q: h.queues["a.example"], task: Task{URL: "http://a.example/", Host: "a.example"}, flight: &flight{out: out}})
		if decided := len(h.done) > 0; decided == (whole == ended) {
			t.Errorf("the work has ended: %t; the URL is decided: %t", whole == ended, decided)
		}
	}
}

// spied is a run that shows the commits of its buckets.
type spied struct {
	Run
	commit func(done []Done)
}

func (s spied) Work(ctx context.Context, buckets int, do func(context.Context, Bucket) error) error {
	return s.Run.Work(ctx, buckets, func(ctx context.Context, b Bucket) error { return do(ctx, spiedBucket{b, s.commit}) })
}

type spiedBucket struct {
	Bucket
	commit func(done []Done)
}

func (b spiedBucket) Commit(ctx context.Context, done []Done, hosts []Host) error {
	b.commit(done)
	return b.Bucket.Commit(ctx, done, hosts)
}

// A commit has at most commitMax results, and Decided is called after it.
func TestCommits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) { return there(u) }).client(t)
		const n = 5*commitMax + 7
		var urls []string
		for i := range n {
			urls = append(urls, fmt.Sprintf("http://127.0.0.1/%d", i))
		}
		r := runOf(t, c, urls...)
		most, all, decided := 0, 0, 0
		w := &Worker{Checker: &Checker{Client: c}, Parallel: 4, Decided: func(*Result) {
			decided++
			if info, err := r.Info(t.Context()); err != nil || info.Decided() < int64(decided) {
				t.Errorf("%d results were reported, but %d committed; %v", decided, info.Decided(), err)
			}
		}}
		if err := w.Run(t.Context(), spied{r, func(done []Done) { most, all = max(most, len(done)), all+len(done) }}); err != nil {
			t.Fatal(err)
		}
		if most != commitMax || all != n || decided != n {
			t.Errorf("%d results, %d reported, at most %d at once; want %d, at most %d", all, decided, most, n, commitMax)
		}
	})
}

// A URL that is due before its failure was committed is tried again at that time.
func TestDueBeforeCommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		c := fake(func(_ context.Context, u locator.URL) (*scheme.Resource, error) {
			switch {
			case u.Host() == "slow.example":
				time.Sleep(15 * time.Second)
			case time.Since(begun) < commitAt/4:
				return nil, scheme.Fail(scheme.CodeNotFound, "not found")
			}
			return there(u)
		}).client(t)
		r := runOf(t, c, "http://slow.example/", "http://a.example/")
		w := &Worker{Checker: &Checker{Client: c, RetryAfter: commitAt / 2, Manners: func(string) Manners { return Manners{Interval: -1} }}}
		if err := w.Run(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		res := resultsOf(t, r)[1]
		if took := res.At.Sub(begun); res.Verdict != OK || took > commitAt {
			t.Errorf("%s after %v, want ok before %v", res.Verdict, took, commitAt)
		}
	})
}

// Nothing waits for a request when its turn is over, whether it has ended or not.
func TestAwaitEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &hold{ends: make(chan *request), over: make(chan struct{})}
		ended := &flight{ended: make(chan struct{})}
		close(ended.ended)
		for _, f := range []*flight{ended, {ended: make(chan struct{})}} {
			h.await(&request{q: new(queue), flight: f})
		}
		synctest.Wait()
		close(h.over)
	})
}
