package download

import (
	"context"
	"iter"
	"slices"
	"sync"
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
	Host string // jobs of one host share its limit; "" has no limit
	// Do runs the job. more reports whether another job for the host is waiting.
	Do func(ctx context.Context, more bool)
}

// Run runs the jobs of a sequence in other goroutines, and returns when the sequence and all jobs have ended. When the
// context ends, Run starts no more jobs; the sequence must end with the context.
func (q Queue) Run(ctx context.Context, jobs iter.Seq[Job]) {
	s := &schedule{limit: max(q.Parallel, 1), perHost: max(q.PerHost, 1), busy: make(map[string]int), stopped: ctx.Err() != nil}
	s.work, s.room = sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	defer context.AfterFunc(ctx, func() { s.over(&s.stopped) })()
	var workers sync.WaitGroup
	defer workers.Wait()
	defer s.over(&s.ended)
	for job := range jobs {
		wanted, more := s.add(job)
		if !wanted {
			return
		}
		if more {
			workers.Go(func() { s.run(ctx, job) })
		}
	}
}

// schedule is the state of a running queue. A worker runs one job after the other, which saves a goroutine and its stack for
// each. While nobody holds the lock, no job waits that may run: when a job ends, at most one other becomes free to run, and
// its worker takes that.
type schedule struct {
	limit, perHost int

	mu      sync.Mutex
	work    *sync.Cond // signalled when an idle worker gets a job or will get none
	room    *sync.Cond // signalled when another job may wait or run
	waiting []Job
	given   []Job          // counted as running, for idle workers
	busy    map[string]int // running jobs by host
	running int
	idle    int  // workers without a job
	ended   bool // no more jobs come
	stopped bool // no more jobs are started
}

// over sets ended or stopped.
func (s *schedule) over(flag *bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*flag = true
	s.work.Broadcast()
	s.room.Broadcast()
}

// add gives a job to an idle worker or lets it wait; it blocks until there is room. It reports whether further jobs are
// wanted, and whether this one needs a new worker.
func (s *schedule) add(job Job) (wanted, worker bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped {
		switch {
		case s.free(job) && s.idle == 0:
			s.begin(job)
			return true, true
		case s.free(job):
			s.begin(job)
			s.idle--
			s.given = append(s.given, job)
			s.work.Signal()
			return true, false
		case len(s.waiting) < lookAhead:
			s.waiting = append(s.waiting, job)
			return true, false
		}
		s.room.Wait()
	}
	return false, false
}

// free reports whether a job may run now.
func (s *schedule) free(job Job) bool {
	return s.running < s.limit && (job.Host == "" || s.busy[job.Host] < s.perHost)
}

func (s *schedule) begin(job Job) {
	s.running++
	s.busy[job.Host]++
}

func (s *schedule) end(job Job) {
	s.running--
	if s.busy[job.Host]--; s.busy[job.Host] == 0 {
		delete(s.busy, job.Host)
	}
}

// run is a worker; job is its first.
func (s *schedule) run(ctx context.Context, job Job) {
	for more, ok := s.more(job), true; ok; job, more, ok = s.next(job) {
		job.Do(ctx, more)
	}
}

// more reports whether another job of the same host is waiting.
func (s *schedule) more(job Job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.another(job)
}

func (s *schedule) another(job Job) bool {
	return job.Host != "" && slices.ContainsFunc(s.waiting, func(j Job) bool { return j.Host == job.Host })
}

// next ends a job and returns the next one: the first that may run. ok is false when there will be none.
func (s *schedule) next(done Job) (job Job, more, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(done)
	if s.stopped {
		return job, false, false
	}
	if i := slices.IndexFunc(s.waiting, s.free); i >= 0 {
		job = s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.begin(job)
		if len(s.waiting) == lookAhead/2 { // wake the sequence for many jobs, not for each
			s.room.Signal()
		}
		return job, s.another(job), true
	}
	s.idle++
	s.room.Signal() // the job that add holds may be free to run
	for len(s.given) == 0 && !s.ended && !s.stopped {
		s.work.Wait()
	}
	if len(s.given) == 0 || s.stopped {
		return job, false, false
	}
	job = s.given[0]
	s.given = s.given[1:]
	return job, s.another(job), true
}
