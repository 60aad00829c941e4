package store

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"

	"locator/check"
)

const (
	endTime   = 20 * time.Second // to return a bucket after the context of the work has ended
	maxWait   = time.Minute      // until a bucket is looked at again, in case the clock was wrong
	sweepTime = 10 * time.Second // between two looks for buckets that lost their job
	clockJump = time.Minute      // a clock is taken to have jumped back if it shows so much less
	lookTime  = 500 * time.Millisecond
	maxSlot   = time.Second // to wait for a place among the buckets that a worker holds
)

type doFunc = func(ctx context.Context, b check.Bucket) error

// working is one call of Work.
type working struct {
	river.WorkerDefaults[holding]
	s      *store
	client worker
	do     doFunc
	slots  chan struct{} // one for each bucket that may be held
	ended  chan struct{} // receives when a bucket was returned
	fail   context.CancelCauseFunc
	begun  atomic.Int64 // buckets that were taken since the last sweep
	held   atomic.Int64 // buckets that are held

	mu   sync.Mutex
	runs map[int64]*run
}

// Work is a method of check.Run.
func (r *run) Work(ctx context.Context, buckets int, do func(ctx context.Context, b check.Bucket) error) error {
	return r.s.work(ctx, buckets, do, func(ctx context.Context, w *working) (done bool, err error) {
		if err := w.join(r); err != nil {
			return false, err
		}
		return r.end(ctx)
	})
}

// Work is a method of check.Store.
func (s *store) Work(ctx context.Context, buckets int, do func(ctx context.Context, b check.Bucket) error) error {
	where, args := "ended = 0", []any(nil)
	if len(s.name) > 0 {
		where, args = "ended = 0 AND name = ?1", []any{s.name}
	}
	return s.work(ctx, buckets, do, func(ctx context.Context, w *working) (done bool, err error) {
		open, err := s.list(ctx, where, args...)
		if err != nil {
			return false, err
		}
		if err := w.keep(ctx, open); err != nil {
			return false, err
		}
		for _, r := range open {
			if err := w.join(r); err != nil {
				return false, err
			}
			if _, err := r.end(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return false, err
			}
		}
		return false, nil
	})
}

// work calls look again and again, which adds the runs to work on and says whether all is done.
func (s *store) work(ctx context.Context, buckets int, do doFunc, look func(context.Context, *working) (bool, error)) (err error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	w := &working{s: s, do: do, slots: make(chan struct{}, max(buckets, 1)), ended: make(chan struct{}, 1), fail: fail, runs: make(map[int64]*run)}
	if w.client, err = s.db.worker(rand.Text(), w); err != nil {
		return wrap(ctx, err)
	}
	if err := s.retry(ctx, func() error { return w.client.Start(context.WithoutCancel(ctx)) }); err != nil {
		return w.result(ctx, err)
	}
	defer w.client.StopAndCancel(context.WithoutCancel(ctx))
	var swept time.Time
	w.begun.Store(1) // nothing is idle yet
	for {
		done, err := look(ctx, w)
		if done || err != nil {
			return w.result(ctx, err)
		}
		if now := time.Now(); now.Sub(swept) >= sweepTime {
			swept = now
			if err := w.sweep(ctx); err != nil {
				return w.result(ctx, err)
			}
		}
		timer := time.NewTimer(lookTime)
		select {
		case <-w.ended:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return w.result(ctx, nil)
		}
		timer.Stop()
	}
}

// result returns the error of the work: that of do, none if the caller ended it, or err.
func (w *working) result(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// join lets River fetch the buckets of a run.
func (w *working) join(r *run) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.runs[r.id] != nil {
		return nil
	}
	w.runs[r.id] = r // before there are jobs that ask for it
	err := w.client.Queues().Add(queueName(r.id), river.QueueConfig{MaxWorkers: cap(w.slots)})
	if err != nil {
		delete(w.runs, r.id)
	}
	return err
}

// rouse lets River fetch the buckets of a run anew, which it may have ceased to do without a word:
// when a database is killed at the wrong moment. It returns an error if nothing can be written,
// which River only reports to its logger.
func (w *working) rouse(ctx context.Context, r *run) error {
	err := w.s.update(ctx, func(q querier) error {
		_, err := q.exec(ctx, r.sql("UPDATE buckets_N SET seen = seen WHERE n = (SELECT MIN(n) FROM buckets_N)"))
		return err
	})
	if err != nil {
		return err
	}
	if err := w.client.Queues().Remove(ctx, queueName(r.id)); err != nil {
		return err
	}
	w.mu.Lock()
	delete(w.runs, r.id)
	w.mu.Unlock()
	return w.join(r)
}

// keep forgets the runs that are not in a list.
func (w *working) keep(ctx context.Context, list []*run) error {
	for _, id := range w.others(list) {
		if err := w.client.Queues().Remove(ctx, queueName(id)); err != nil {
			return err
		}
	}
	return nil
}

func (w *working) others(list []*run) (ids []int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.runs {
		if !slices.ContainsFunc(list, func(r *run) bool { return r.id == id }) {
			ids = append(ids, id)
			delete(w.runs, id)
		}
	}
	return ids
}

func (w *working) run(id int64) *run {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[id]
}

// sweep gives a job to each bucket that has open URLs and no job, which can happen if a worker comes
// back late, and wakes those that would wait too long, because the clock was wrong.
func (w *working) sweep(ctx context.Context) error {
	w.mu.Lock()
	runs := slices.Collect(maps.Values(w.runs))
	w.mu.Unlock()
	idle := w.begun.Swap(0) == 0 && w.held.Load() == 0
	for _, r := range runs {
		if idle {
			if err := r.gone(ctx, w.rouse(ctx, r)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		var list []int64
		late := w.s.now() + 2*maxWait.Milliseconds()
		err := w.s.query(ctx, func() { list = nil }, func(scan func(...any) error) error {
			var n int64
			err := scan(&n)
			list = append(list, n)
			return err
		}, r.sql(`SELECT n FROM buckets_N WHERE job <> 0 AND (wakes > ?1 OR NOT EXISTS (
			SELECT 1 FROM river_job j WHERE j.id = buckets_N.job AND j.state IN ('available', 'running', 'retryable', 'scheduled')))`), late)
		if err == nil && len(list) > 0 {
			err = w.s.update(ctx, func(q querier) error { return w.repair(ctx, q, r, list, late) })
		}
		if err = r.gone(ctx, err); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (w *working) repair(ctx context.Context, q querier, r *run, list []int64, late int64) error {
	locked, err := r.lock(ctx, q, list)
	if err != nil {
		return err
	}
	for n, row := range locked {
		if row.job == 0 {
			continue
		}
		// This changes nothing if the job is there after all.
		job, err := w.s.db.insert(ctx, q, holding{r.id, n}, time.Time{})
		if err == nil && row.wakes > late {
			err = w.s.db.wake(ctx, q, job)
		}
		if err == nil {
			_, err = q.exec(ctx, r.sql("UPDATE buckets_N SET job = ?1, wakes = 0 WHERE n = ?2"), job, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Work holds the bucket of a job. It is a method of river.Worker.
func (w *working) Work(ctx context.Context, job *river.Job[holding]) error {
	timer := time.NewTimer(maxSlot)
	defer timer.Stop()
	select {
	case w.slots <- struct{}{}:
	case <-timer.C:
		return river.JobSnooze(0) // this worker is busy with other runs
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.slots }()
	r := w.run(job.Args.Run)
	if r == nil {
		return river.JobSnooze(time.Second) // the run has just been added, or has ended
	}
	w.begun.Add(1)
	w.held.Add(1)
	err := w.hold(ctx, r, job)
	w.held.Add(-1)
	select {
	case w.ended <- struct{}{}:
	default:
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the run was dropped
	}
	return err
}

func (w *working) hold(ctx context.Context, r *run, job *river.Job[holding]) error {
	b, err := w.take(ctx, r, job)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
		w.fail(err) // River would give out the job again and again
	}
	if err != nil || b == nil {
		return err
	}
	if err := w.do(ctx, b); err != nil && !errors.Is(err, check.ErrLate) && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
		w.fail(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err = w.end(ctx, b, job); fatal(err) {
		w.fail(err)
	}
	return err
}

// fatal reports whether the error of returning a bucket ends the work. One that took too long, since
// all buckets are returned at once, is given out again by River, and another worker's turn is safe
// from it.
func fatal(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, context.DeadlineExceeded)
}

// take raises the turn of a bucket. It returns nil if the job was given out before to a worker that
// may still return: then it is replaced by another one.
func (w *working) take(ctx context.Context, r *run, job *river.Job[holding]) (b *bucket, err error) {
	n := job.Args.Bucket
	err = r.s.update(ctx, func(q querier) error {
		b = nil
		locked, err := r.lock(ctx, q, []int64{n})
		if err != nil {
			return err
		}
		row := locked[n]
		if row == nil || row.job == 0 {
			return w.s.db.complete(ctx, q, job)
		}
		if job.Attempt > 1 {
			if err := w.s.db.complete(ctx, q, job); err != nil {
				return err
			}
			next, err := w.s.db.insert(ctx, q, holding{r.id, n}, time.Time{})
			if err == nil {
				_, err = q.exec(ctx, r.sql("UPDATE buckets_N SET turn = turn + 1, job = ?1, wakes = 0 WHERE n = ?2"), next, n)
			}
			return err
		}
		b = &bucket{r: r, n: n, turn: row.turn + 1, hosts: make(map[string]*hostTasks)}
		due, err := b.dueSince(ctx, q, row.seen)
		if err != nil {
			return err
		}
		now := w.s.now()
		if due == 0 || due > now {
			turn := b.turn
			b = nil
			return w.next(ctx, q, r, n, turn, due, job)
		}
		_, err = q.exec(ctx, r.sql("UPDATE buckets_N SET turn = ?1, job = ?2, wakes = 0, seen = ?3 WHERE n = ?4"), b.turn, job.ID, now, n)
		return err
	})
	return b, r.gone(ctx, err)
}

// dueSince returns when the bucket has something to do again, as due does. If the clock has jumped
// back since the bucket was seen last, that is now.
func (b *bucket) dueSince(ctx context.Context, q querier, seen int64) (int64, error) {
	if seen > b.r.s.now()+clockJump.Milliseconds() {
		if err := b.forgetTimes(ctx, q); err != nil {
			return 0, err
		}
	}
	return b.due(ctx, q)
}

// forgetTimes makes all of the bucket due. It is called when the clock has jumped back.
func (b *bucket) forgetTimes(ctx context.Context, q querier) error {
	_, err := q.exec(ctx, b.r.sql("UPDATE waiting_N SET due = 0 WHERE host IN (SELECT id FROM hosts_N WHERE bucket = ?1)"), b.n)
	if err == nil {
		_, err = q.exec(ctx, b.r.sql("UPDATE hosts_N SET next = 0 WHERE bucket = ?1"), b.n)
	}
	return err
}

// end returns a bucket: the job ends, and another one follows if URLs are open. Nothing happens if
// another worker has taken the bucket.
func (w *working) end(ctx context.Context, b *bucket, job *river.Job[holding]) error {
	err := b.r.s.update(ctx, func(q querier) error {
		locked, err := b.r.lock(ctx, q, []int64{b.n})
		if err != nil {
			return err
		}
		row := locked[b.n]
		if row == nil || row.turn != b.turn {
			return nil
		}
		due, err := b.dueSince(ctx, q, row.seen)
		if err != nil {
			return err
		}
		return w.next(ctx, q, b.r, b.n, b.turn, due, job)
	})
	return b.r.gone(ctx, err)
}

// next ends a job, and adds the next one of the bucket unless due is 0.
func (w *working) next(ctx context.Context, q querier, r *run, n, turn, due int64, job *river.Job[holding]) (err error) {
	if err := w.s.db.complete(ctx, q, job); err != nil {
		return err
	}
	now, id := w.s.now(), int64(0)
	if due != 0 {
		due = min(max(due, now), now+maxWait.Milliseconds())
		at := time.Time{}
		if due > now {
			at = time.Now().Add(time.Duration(due-now) * time.Millisecond)
		}
		if id, err = w.s.db.insert(ctx, q, holding{r.id, n}, at); err != nil {
			return err
		}
	}
	_, err = q.exec(ctx, r.sql("UPDATE buckets_N SET turn = ?1, job = ?2, wakes = ?3, seen = ?4 WHERE n = ?5"), turn, id, due, now, n)
	return err
}
