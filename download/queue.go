package download

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// Queue runs jobs, so many at once and so many for one host. One slow host does not slow the others: the queue looks
// ahead for jobs of hosts that are free.
type Queue struct {
	Parallel int // jobs at once, at least 1
	PerHost  int // jobs at once for one host, at least 1
}

// lookAhead bounds how many jobs wait in memory.
const lookAhead = 1000

// Job is one thing to do.
type Job struct {
	Host string // jobs of one host share its bound; "" has none
	// Do does it. more says that a further job for the host waits.
	Do func(ctx context.Context, more bool)
}

// Run takes jobs from the sequence and runs them in other goroutines; it returns when all have ended and the sequence
// has. When the context ends it starts no more jobs; the sequence must end with the context, too.
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

// schedule is the state of a running queue. A worker takes one job after the other, so that neither goroutines nor their
// stacks are made for each. While the lock is free, no job that may run waits: when one ends, at most one other may run,
// and its worker takes that.
type schedule struct {
	limit, perHost int

	mu      sync.Mutex
	work    *sync.Cond // a job was given to a worker that waits, or no more will be
	room    *sync.Cond // there is room for waiting jobs
	waiting []Job
	given   []Job          // running already, for workers that wait
	busy    map[string]int // running jobs by host
	running int
	idle    int  // workers that wait and to whom nothing was given
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

// add gives a job to a worker or lets it wait, once there is room. It reports whether jobs are wanted still, and whether
// this one needs another worker.
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

// run is a worker, with its first job.
func (s *schedule) run(ctx context.Context, job Job) {
	for more, ok := s.more(job), true; ok; job, more, ok = s.next(job) {
		job.Do(ctx, more)
	}
}

// more reports whether a job of the same host waits.
func (s *schedule) more(job Job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.another(job)
}

func (s *schedule) another(job Job) bool {
	return job.Host != "" && slices.ContainsFunc(s.waiting, func(j Job) bool { return j.Host == job.Host })
}

// next ends a job and takes the next one: of those that may run, the one that came first. ok is false when there will be
// none.
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
		if len(s.waiting) == lookAhead/2 { // not for each job anew
			s.room.Signal()
		}
		return job, s.another(job), true
	}
	s.idle++
	s.room.Signal() // the job that waits for room may run perhaps
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
