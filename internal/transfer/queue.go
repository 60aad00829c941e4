package transfer

import (
	"context"
	"iter"
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
	Do   func(ctx context.Context)
}

// Run takes jobs from the sequence and runs them; it returns when all have ended. When the context ends it takes no
// more and waits for those that run.
func (q Queue) Run(ctx context.Context, jobs iter.Seq[Job]) {
	s := &schedule{limit: max(q.Parallel, 1), perHost: max(q.PerHost, 1), busy: make(map[string]int)}
	s.change = sync.NewCond(&s.mu)
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.change.Broadcast()
	})
	defer stop()
	go s.fill(ctx, jobs)
	var running sync.WaitGroup
	for {
		job, ok := s.next(ctx)
		if !ok {
			break
		}
		running.Go(func() {
			defer s.done(job)
			job.Do(ctx)
		})
	}
	running.Wait()
	s.drained()
}

// schedule is the state of a running queue.
type schedule struct {
	limit, perHost int

	mu      sync.Mutex
	change  *sync.Cond
	waiting []Job
	busy    map[string]int // running jobs by host
	running int
	ended   bool // no more jobs come
	stopped bool // no more jobs are wanted
}

// fill moves jobs from the sequence into the queue, as far as it may look ahead.
func (s *schedule) fill(ctx context.Context, jobs iter.Seq[Job]) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = true
		s.change.Broadcast()
	}()
	for job := range jobs {
		s.mu.Lock()
		for len(s.waiting) >= lookAhead && !s.stopped && ctx.Err() == nil {
			s.change.Wait()
		}
		stop := s.stopped || ctx.Err() != nil
		if !stop {
			s.waiting = append(s.waiting, job)
			s.change.Broadcast()
		}
		s.mu.Unlock()
		if stop {
			return
		}
	}
}

// next waits for a job that may run now, in the order of their coming.
func (s *schedule) next(ctx context.Context) (Job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if ctx.Err() != nil {
			return Job{}, false
		}
		if s.running < s.limit {
			for i, job := range s.waiting {
				if job.Host == "" || s.busy[job.Host] < s.perHost {
					s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
					s.running++
					s.busy[job.Host]++
					s.change.Broadcast()
					return job, true
				}
			}
		}
		if s.ended && len(s.waiting) == 0 {
			return Job{}, false
		}
		s.change.Wait()
	}
}

func (s *schedule) done(job Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if s.busy[job.Host]--; s.busy[job.Host] == 0 {
		delete(s.busy, job.Host)
	}
	s.change.Broadcast()
}

// drained lets fill end. It may be waiting for its sequence, which the caller owns; it takes nothing more from it.
func (s *schedule) drained() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.change.Broadcast()
}
