package check

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A Worker checks the URLs of runs. Checker is required. It must not be copied.
type Worker struct {
	Checker *Checker
	// Helps judges each run by the settings that it keeps, with the Client, Parse and Clock of
	// Checker. Local files are skipped: they are those of the machine that began the run.
	Helps    bool
	Parallel int // most requests at once; 0 means DefaultParallel. One that takes longer than a second counts no more.
	Buckets  int // parts of a run that are worked on at once; 0 means 256
	// Decided is called with each result, after it was committed. It may be called by several
	// goroutines. It may be nil.
	Decided func(r *Result)

	once     sync.Once
	slots    chan struct{}
	machines machines
	mu       sync.Mutex
	flights  map[flightKey]*flight
	most     int          // flights before some are forgotten
	slow     atomic.Int64 // requests whose slot was lent
	checkers recent[*Checker]
}

// Defaults of a Worker.
const (
	DefaultParallel   = 128
	DefaultRetryAfter = 3 * time.Second
)

const defaultBuckets = 256

// Limits of how long a bucket is held. A request may take longer: its outcome is used when the
// bucket is taken the next time.
const (
	startFor  = 20 * time.Second // new requests are started
	holdFor   = 28 * time.Second // the bucket is held
	commitAt  = 200 * time.Millisecond
	commitMax = 100
	// idleFor is the pause for which a bucket is held although nothing is done.
	idleFor = 2 * time.Second
)

// lendAfter is when a request gives its place to another: one that waits for a slow server is no
// load. At most maxSlow do so. It does so earlier if nothing is known of the host, or if the request
// before was slow: a thousand slow hosts do not hold up the others.
const (
	lendAfter   = time.Second
	lendUnknown = lendAfter / 10
	lendSlow    = lendAfter / 100
	maxSlow     = 4096
)

// flight is a request under way, or one that has ended and was not used yet.
type flight struct {
	ended chan struct{}
	out   *attempt
	again time.Time // until when its machine is to be left alone; zero if it is not
	at    time.Time // when it has ended
}

// old reports whether nobody takes the request any more: another worker has its bucket, or the run
// is over.
func (f *flight) old(now time.Time) bool {
	select {
	case <-f.ended:
		return now.Sub(f.at) > forgetAfter
	default:
		return false
	}
}

type flightKey struct{ run, task int64 }

func (w *Worker) init() {
	w.once.Do(func() {
		if w.Parallel <= 0 {
			w.Parallel = DefaultParallel
		}
		if w.Buckets <= 0 {
			w.Buckets = defaultBuckets
		}
		w.slots = make(chan struct{}, w.Parallel)
		w.machines = machines{parallel: w.Parallel, rules: w.Checker.newRules, byHost: make(map[string]*machine), byAddr: make(map[string]*machine)}
		w.flights = make(map[flightKey]*flight)
	})
}

// Run checks the URLs of a run until all are decided. A Worker does one Run or Work at a time.
func (w *Worker) Run(ctx context.Context, r Run) error {
	w.init()
	return r.Work(ctx, w.Buckets, w.bucket(ctx))
}

// Work checks the URLs of all runs of a store until ctx ends.
func (w *Worker) Work(ctx context.Context, s Store) error {
	w.init()
	return s.Work(ctx, w.Buckets, w.bucket(ctx))
}

// bucket returns the function that works on a bucket. Its requests end with whole.
func (w *Worker) bucket(whole context.Context) func(context.Context, Bucket) error {
	return func(ctx context.Context, b Bucket) error {
		c, err := w.checker(ctx, b.Run())
		if err != nil {
			return err
		}
		h := &hold{w: w, c: c, b: b, run: b.Run().ID, whole: whole, begun: w.Checker.now(), ends: make(chan *request), over: make(chan struct{}), queues: make(map[string]*queue)}
		defer close(h.over)
		err = h.work(ctx)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return nil
		}
		return err
	}
}

// maxCheckers is how many runs a worker helps with at once before it forgets what it has read for
// the first of them.
const maxCheckers = 8

// checker returns the checker for a run.
func (w *Worker) checker(ctx context.Context, r RunInfo) (c *Checker, err error) {
	if !w.Helps {
		return w.Checker, nil
	}
	c = w.checkers.get(ctx, strconv.FormatInt(r.ID, 10), func() (*Checker, int) {
		var c *Checker
		if c, err = CheckerOf(r); err != nil {
			return nil, -1
		}
		c.Client, c.Parse, c.Clock, c.Folders = w.Checker.Client, w.Checker.Parse, w.Checker.Clock, []string{}
		return c, maxRecentBytes / maxCheckers
	})
	return c, err
}

// launch begins a request, which has a slot and a place at a machine. It goes on if the bucket is
// given back before it ends.
func (w *Worker) launch(whole context.Context, c *Checker, q *queue, m *machine, key flightKey, t Task, add adder) *flight {
	f := &flight{ended: make(chan struct{})}
	w.mu.Lock()
	if len(w.flights) >= max(w.most, manyKept) {
		now := w.Checker.now()
		maps.DeleteFunc(w.flights, func(_ flightKey, f *flight) bool { return f.old(now) })
		w.most = 2 * len(w.flights)
	}
	w.flights[key] = f
	w.mu.Unlock()
	go func() {
		ctx, cancel := context.WithTimeout(whole, maxFlight)
		defer cancel()
		free := sync.OnceFunc(func() { <-w.slots })
		defer free()
		lend := time.AfterFunc(m.lend(), func() {
			if w.slow.Add(1) <= maxSlow {
				free()
			}
		})
		defer func() {
			if !lend.Stop() {
				w.slow.Add(-1)
			}
		}()
		a := c.attempt(ctx, t, m, add)
		f.at = w.Checker.now()
		f.again = m.end(a, f.at)
		w.machines.found(q.name, a.addr)
		f.out = a
		close(f.ended)
	}()
	return f
}

// maxFlight is how long one attempt may take with all redirects.
const maxFlight = 5 * time.Minute

// take returns the request for a task that is under way or was not used; nil if there is none.
func (w *Worker) take(key flightKey) *flight {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flights[key]
}

// forget removes a request that was used.
func (w *Worker) forget(key flightKey) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.flights, key)
}
