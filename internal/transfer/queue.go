package transfer

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
	Do   func(ctx context.Context)
}

// Run takes jobs from the sequence, in a goroutine of its own, and runs them; it returns when all have ended and the
// sequence has. When the context ends it starts no more jobs; the sequence must end with the context, too.
func (q Queue) Run(ctx context.Context, jobs iter.Seq[Job]) {
	s := &schedule{limit: max(q.Parallel, 1), perHost: max(q.PerHost, 1), busy: make(map[string]int), stopped: ctx.Err() != nil}
	s.change = sync.NewCond(&s.mu)
	defer context.AfterFunc(ctx, func() { s.update(func() { s.stopped = true }) })()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() {
		defer s.update(func() { s.ended = true })
		for job := range jobs {
			if !s.add(job) {
				return
			}
		}
	})
	for {
		job, ok := s.next()
		if !ok {
			return
		}
		running.Go(func() {
			defer s.done(job)
			job.Do(ctx)
		})
	}
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
	stopped bool // no more jobs are started
}

// update changes the state, and wakes who waits for a change.
func (s *schedule) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.change.Broadcast()
}

// add lets a job wait, once there is room. It reports whether more are wanted.
func (s *schedule) add(job Job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) >= lookAhead && !s.stopped {
		s.change.Wait()
	}
	s.waiting = append(s.waiting, job)
	s.change.Broadcast()
	return !s.stopped
}

// next waits for a job that may run now: of those, the one that came first. It reports false when there will be none.
func (s *schedule) next() (Job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && !(s.ended && len(s.waiting) == 0) {
		i := -1
		if s.running < s.limit {
			i = slices.IndexFunc(s.waiting, func(j Job) bool { return j.Host == "" || s.busy[j.Host] < s.perHost })
		}
		if i < 0 {
			s.change.Wait()
			continue
		}
		job := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.running++
		s.busy[job.Host]++
		s.change.Broadcast()
		return job, true
	}
	return Job{}, false
}

func (s *schedule) done(job Job) {
	s.update(func() {
		s.running--
		if s.busy[job.Host]--; s.busy[job.Host] == 0 {
			delete(s.busy, job.Host)
		}
	})
}
