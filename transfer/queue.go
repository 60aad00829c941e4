package transfer

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"locator"
)

// Queue runs jobs in parallel, with a limit for all and one for each host. A slow host does not
// delay the others: the queue looks ahead for jobs of other hosts. The zero value runs one job at a
// time.
type Queue struct {
	Parallel int           // most jobs at once; 0 means 1
	PerHost  int           // most jobs at once for one host; 0 means 1
	Interval time.Duration // at least this long between the starts of two jobs of one host; 0 means no delay
}

// lookAhead bounds how many jobs wait in memory.
const lookAhead = 1000

// Job is a function for a Queue to run.
type Job struct {
	Host string      // jobs of one host share its limits; "" has none
	URL  locator.URL // what the job accesses; zero if that is not known
	// Do runs the job. next is for [scheme.AccessOptions.Next]: it yields the URL of the job that
	// this one's worker runs next, if that has the same host and the queue has no Interval. Ranging
	// over it assigns that job to the worker, so range over it when this job is almost done.
	Do func(ctx context.Context, next iter.Seq[locator.URL])
}

// Run runs the jobs of a sequence in other goroutines, and returns when the sequence and all jobs
// have ended. When the context ends, Run starts no more jobs; the sequence must end with the
// context.
func (q Queue) Run(ctx context.Context, jobs iter.Seq[Job]) { q.Schedule(ctx).Run(jobs) }

// A Schedule is the state of a running queue, for a sequence of jobs that accesses the hosts of the
// jobs itself (see [Schedule.Hold]).
//
// A worker runs one job after the other, which saves a goroutine and its stack for each. While
// nobody holds the lock, no job waits that may run: when a job ends, at most one other becomes free
// to run, and its worker takes that.
type Schedule struct {
	ctx            context.Context
	limit, perHost int
	interval       time.Duration
	workers        sync.WaitGroup

	mu      sync.Mutex
	work    *sync.Cond // signalled when an idle worker gets a job or will get none
	room    *sync.Cond // signalled when the sequence may go on: another job may wait or run
	waiting []Job
	given   []Job                  // counted as running, for idle workers
	busy    map[string]int         // running jobs by host
	paused  map[string]*time.Timer // hosts whose last job began less than the interval ago
	running int
	idle    int    // workers without a job
	wanted  string // the host that Hold waits for, "" if it does not
	ended   bool   // no more jobs come
	stopped bool   // no more jobs are started
}

// Schedule returns a schedule that has no jobs yet.
func (q Queue) Schedule(ctx context.Context) *Schedule {
	s := &Schedule{ctx: ctx, limit: max(q.Parallel, 1), perHost: max(q.PerHost, 1), interval: q.Interval,
		busy: make(map[string]int), paused: make(map[string]*time.Timer), stopped: ctx.Err() != nil}
	s.work, s.room = sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	return s
}

// Run implements [Queue.Run]. It must be called once.
func (s *Schedule) Run(jobs iter.Seq[Job]) {
	defer context.AfterFunc(s.ctx, func() { s.over(&s.stopped) })()
	defer s.workers.Wait()
	defer s.finish()
	for job := range jobs {
		if !s.add(job) {
			return
		}
	}
}

// finish waits until no job waits.
func (s *Schedule) finish() {
	s.over(&s.ended)
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) > 0 && !s.stopped {
		s.room.Wait()
	}
	for _, t := range s.paused {
		t.Stop()
	}
}

// over sets ended or stopped.
func (s *Schedule) over(flag *bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*flag = true
	s.work.Broadcast()
	s.room.Broadcast()
}

// add starts a job or lets it wait; it blocks until there is room. It reports whether further jobs
// are wanted.
func (s *Schedule) add(job Job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped {
		switch {
		case s.free(job.Host):
			s.start(job)
			return true
		case len(s.waiting) < lookAhead:
			s.waiting = append(s.waiting, job)
			return true
		}
		s.room.Wait()
	}
	return false
}

// Hold makes what the sequence of jobs itself does on a host, such as reading a listing, count as a
// job of the host until release is called. It blocks until that may run: if one job may run at
// once, after those that wait, which need the connection where it is; if more may, before them, so
// that they do not run out. It must be called by the goroutine that yields the jobs, which must not
// yield before it has called release.
func (s *Schedule) Hold(host string) (release func()) {
	if host == "" {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.wanted = host; !s.stopped && s.wanted != "" && !s.mayHold(); {
		s.room.Wait()
	}
	if s.stopped {
		if s.wanted == "" { // it began, and is not wanted any more
			s.end(host)
		}
		s.wanted = ""
		return func() {}
	}
	if s.wanted != "" { // nobody has begun it
		s.begin(host)
		s.wanted = ""
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.end(host)
		if i := slices.IndexFunc(s.waiting, s.mayRun); i >= 0 && !s.stopped {
			s.start(s.take(i))
		}
	})
}

// mayHold reports whether what Hold waits for may begin.
func (s *Schedule) mayHold() bool {
	if s.perHost == 1 || s.limit == 1 {
		return s.free(s.wanted) && !slices.ContainsFunc(s.waiting, func(j Job) bool { return j.Host == s.wanted })
	}
	return s.free(s.wanted)
}

// free reports whether a job of the host may run now.
func (s *Schedule) free(host string) bool {
	return s.running < s.limit && (host == "" || s.busy[host] < s.perHost && s.paused[host] == nil)
}

func (s *Schedule) mayRun(job Job) bool { return s.free(job.Host) }

// take removes a waiting job.
func (s *Schedule) take(i int) Job {
	job := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if len(s.waiting) == lookAhead/2 { // wake the sequence for many jobs, not for each
		s.room.Signal()
	}
	return job
}

// start assigns a job that may run to an idle worker or to a new one.
func (s *Schedule) start(job Job) {
	s.begin(job.Host)
	if s.idle == 0 {
		s.workers.Go(func() { s.worker(job) })
		return
	}
	s.idle--
	s.given = append(s.given, job)
	s.work.Signal()
}

func (s *Schedule) begin(host string) {
	s.running++
	s.busy[host]++
	if s.interval > 0 && host != "" {
		s.paused[host] = time.AfterFunc(s.interval, func() { s.resume(host) })
	}
}

// resume ends the pause of a host. At most one other job becomes free to run, since the next one
// begins a pause.
func (s *Schedule) resume(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.paused, host)
	if s.stopped {
		return
	}
	s.beginWanted()
	if i := slices.IndexFunc(s.waiting, s.mayRun); i >= 0 {
		s.start(s.take(i))
	}
	s.room.Signal() // the job that add holds may be free to run
}

// beginWanted begins what Hold waits for if that may run.
func (s *Schedule) beginWanted() {
	if s.wanted != "" && s.mayHold() {
		s.begin(s.wanted)
		s.wanted = ""
		s.room.Signal()
	}
}

func (s *Schedule) end(host string) {
	s.running--
	if s.busy[host]--; s.busy[host] == 0 {
		delete(s.busy, host)
	}
}

// worker runs one job after the other.
func (s *Schedule) worker(first Job) {
	for r := (&runningJob{s: s, job: first}); r != nil; r = s.next(r) {
		r.job.Do(s.ctx, r.nextURL)
	}
}

// runningJob is a job that a worker runs.
type runningJob struct {
	s    *Schedule
	job  Job
	next *Job // assigned to the worker; nil if none is
	over bool
}

// nextURL yields the URL of the job that the worker runs next. It assigns the job that the worker
// would get if this one ended now.
func (r *runningJob) nextURL(yield func(locator.URL) bool) {
	if r.assign() {
		yield(r.next.URL)
	}
}

func (r *runningJob) assign() bool {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.over || s.stopped || r.next != nil || r.job.Host == "" || s.interval > 0 { // the worker may have to wait
		return r.next != nil && !r.over
	}
	s.end(r.job.Host)
	i := -1
	if s.wanted == "" || !s.mayHold() {
		i = slices.IndexFunc(s.waiting, s.mayRun)
	}
	s.begin(r.job.Host)
	if i < 0 || s.waiting[i].Host != r.job.Host || s.waiting[i].URL.IsZero() {
		return false
	}
	job := s.take(i)
	r.next = &job
	return true
}

// next ends a job and returns the worker's next one: the job that is assigned to it, or the first
// that may run. It returns nil when there will be none.
func (s *Schedule) next(r *runningJob) *runningJob {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.over = true
	s.end(r.job.Host)
	if s.stopped {
		return nil
	}
	if r.next != nil {
		s.begin(r.next.Host)
		return &runningJob{s: s, job: *r.next}
	}
	s.beginWanted()
	if i := slices.IndexFunc(s.waiting, s.mayRun); i >= 0 {
		job := s.take(i)
		s.begin(job.Host)
		return &runningJob{s: s, job: job}
	}
	s.idle++
	s.room.Signal() // the job that add holds may be free to run
	for len(s.given) == 0 && !s.ended && !s.stopped {
		s.work.Wait()
	}
	if len(s.given) == 0 || s.stopped {
		s.idle-- // a job that begins after a pause needs another worker
		return nil
	}
	job := s.given[0]
	s.given = s.given[1:]
	return &runningJob{s: s, job: job}
}
