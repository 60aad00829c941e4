package download

import (
	"context"
	"iter"
	"slices"
	"sync"

	"locator"
)

// Queue runs jobs in parallel, with a limit for all and one for each host. A slow host does not delay the others: the queue
// looks ahead for jobs of other hosts. The zero value runs one job at a time.
type Queue struct {
	Parallel int // most jobs at once; 0 is 1
	PerHost  int // most jobs at once for one host; 0 is 1
}

// lookAhead bounds how many jobs wait in memory.
const lookAhead = 1000

// Job is a function for a Queue to run.
type Job struct {
	Host string      // jobs of one host share its limit; "" has no limit
	URL  locator.URL // what the job accesses; zero if that is not known
	// Do runs the job. next is for [scheme.AccessOptions.Next]: it yields the URL of the job that this one's worker runs next, if
	// that has the same host. Ranging over it assigns that job to the worker, so range over it when this job is almost done.
	Do func(ctx context.Context, next iter.Seq[locator.URL])
}

// Run runs the jobs of a sequence in other goroutines, and returns when the sequence and all jobs have ended. When the
// context ends, Run starts no more jobs; the sequence must end with the context.
func (q Queue) Run(ctx context.Context, jobs iter.Seq[Job]) { q.schedule(ctx).run(jobs) }

// schedule is the state of a running queue. A worker runs one job after the other, which saves a goroutine and its stack for
// each. While nobody holds the lock, no job waits that may run: when a job ends, at most one other becomes free to run, and
// its worker takes that.
type schedule struct {
	ctx            context.Context
	limit, perHost int
	workers        sync.WaitGroup

	mu      sync.Mutex
	work    *sync.Cond // signalled when an idle worker gets a job or will get none
	room    *sync.Cond // signalled when the sequence may go on: another job may wait or run
	waiting []Job
	given   []Job          // counted as running, for idle workers
	busy    map[string]int // running jobs by host
	running int
	idle    int    // workers without a job
	wanted  string // the host that hold waits for, "" if it does not
	ended   bool   // no more jobs come
	stopped bool   // no more jobs are started
}

func (q Queue) schedule(ctx context.Context) *schedule {
	s := &schedule{ctx: ctx, limit: max(q.Parallel, 1), perHost: max(q.PerHost, 1), busy: make(map[string]int), stopped: ctx.Err() != nil}
	s.work, s.room = sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	return s
}

// run implements Queue.Run.
func (s *schedule) run(jobs iter.Seq[Job]) {
	defer context.AfterFunc(s.ctx, func() { s.over(&s.stopped) })()
	defer s.workers.Wait()
	defer s.over(&s.ended)
	for job := range jobs {
		if !s.add(job) {
			return
		}
	}
}

// over sets ended or stopped.
func (s *schedule) over(flag *bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*flag = true
	s.work.Broadcast()
	s.room.Broadcast()
}

// add starts a job or lets it wait; it blocks until there is room. It reports whether further jobs are wanted.
func (s *schedule) add(job Job) bool {
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

// hold counts as a job of the host what the sequence of jobs itself does there, such as reading a listing, until release is
// called. It blocks until that may run: if one job may run at once, after those that wait, which need the connection where it is;
// if more may, before them, so that they do not run out. It must be called by the goroutine that yields the jobs, which must
// not yield before it has called release.
func (s *schedule) hold(host string) (release func()) {
	if host == "" {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.wanted = host; !s.stopped && s.wanted != "" && !s.mayHold(); {
		s.room.Wait()
	}
	if s.stopped {
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

// mayHold reports whether what hold waits for may begin.
func (s *schedule) mayHold() bool {
	if s.perHost == 1 || s.limit == 1 {
		return s.free(s.wanted) && !slices.ContainsFunc(s.waiting, func(j Job) bool { return j.Host == s.wanted })
	}
	return s.free(s.wanted)
}

// free reports whether a job of the host may run now.
func (s *schedule) free(host string) bool {
	return s.running < s.limit && (host == "" || s.busy[host] < s.perHost)
}

func (s *schedule) mayRun(job Job) bool { return s.free(job.Host) }

// take removes a waiting job.
func (s *schedule) take(i int) Job {
	job := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if len(s.waiting) == lookAhead/2 { // wake the sequence for many jobs, not for each
		s.room.Signal()
	}
	return job
}

// start gives a job that may run to an idle worker or to a new one.
func (s *schedule) start(job Job) {
	s.begin(job.Host)
	if s.idle == 0 {
		s.workers.Go(func() { s.worker(job) })
		return
	}
	s.idle--
	s.given = append(s.given, job)
	s.work.Signal()
}

func (s *schedule) begin(host string) {
	s.running++
	s.busy[host]++
}

func (s *schedule) end(host string) {
	s.running--
	if s.busy[host]--; s.busy[host] == 0 {
		delete(s.busy, host)
	}
}

// worker runs one job after the other.
func (s *schedule) worker(first Job) {
	for r := (&runningJob{s: s, job: first}); r != nil; r = s.next(r) {
		r.job.Do(s.ctx, r.nextURL)
	}
}

// runningJob is a job that a worker runs.
type runningJob struct {
	s    *schedule
	job  Job
	next *Job // assigned to the worker; nil if none is
	over bool
}

// nextURL yields the URL of the job that the worker runs next. It assigns the job that the worker would get if this one
// ended now.
func (r *runningJob) nextURL(yield func(locator.URL) bool) {
	if r.assign() {
		yield(r.next.URL)
	}
}

func (r *runningJob) assign() bool {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.over || s.stopped || r.next != nil || r.job.Host == "" {
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

// next ends a job and returns the worker's next one: the job that is assigned to it, or the first that may run. It returns nil
// when there will be none.
func (s *schedule) next(r *runningJob) *runningJob {
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
	if s.wanted != "" && s.mayHold() {
		s.begin(s.wanted)
		s.wanted = ""
		s.room.Signal()
	}
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
		return nil
	}
	job := s.given[0]
	s.given = s.given[1:]
	return &runningJob{s: s, job: job}
}
