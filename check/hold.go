package check

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strings"
	"time"
)

// hold is one turn of a worker with a bucket. Only its goroutine uses it.
type hold struct {
	w     *Worker
	c     *Checker
	b     Bucket
	run   int64
	whole context.Context
	begun time.Time

	queues map[string]*queue // by host
	heap   queues            // those that may have something to do, by time
	active int               // requests under way
	ends   chan *request
	over   chan struct{} // closed when nobody receives from ends any more
	done   []Done        // not committed yet
	first  time.Time     // when the first of done came
}

// queue has the tasks of a host.
type queue struct {
	name     string
	manners  Manners
	next     time.Time // when to look at it
	stored   time.Time // Host.Next in the store
	at       int       // in the heap; -1 is not in it
	tasks    []Task
	active   int
	later    []time.Time      // when tasks that were put off are due, in order
	losses   map[string]*loss // by place
	answered []string         // Host.Answered
}

// loss is what is known of a place where nothing answers.
type loss struct {
	count int     // requests in a row to which nothing answered
	gone  *Result // if nothing answered in the second attempt either
}

// placeOf returns what a URL has in common with others that one server answers: its scheme, host
// and port. Empty means that its host is unknown.
func placeOf(t Task) string {
	if t.Host == "" {
		return ""
	}
	name, rest, _ := strings.Cut(t.URL, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return name + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
}

// request is a task that is tried.
type request struct {
	q      *queue
	task   Task
	flight *flight
	key    flightKey
}

// taskBatch is how many tasks of a host are read at once.
const taskBatch = 64

// work checks the URLs of the bucket that are due.
func (h *hold) work(ctx context.Context) error {
	hosts, err := h.b.Hosts(ctx)
	if err != nil {
		return err
	}
	for _, x := range hosts {
		if far := x.Next.Sub(h.begun) > MaxWait; far && !x.Asked { // the clock was set back
			x.Next = h.begun
		} else {
			h.w.machines.of(x.Name, h.c).leave(x.Next, x.Asked)
			if far {
				x.Next = h.begun
			}
		}
		h.queue(x.Name, x.Next)
		h.queues[x.Name].stored, h.queues[x.Name].answered = x.Next, x.Answered
	}
	for {
		now := h.c.now()
		held := now.Sub(h.begun)
		if len(h.done) >= commitMax || len(h.done) > 0 && (now.Sub(h.first) >= commitAt || h.active == 0 && h.idle(now) || held >= holdFor) {
			if err := h.commit(ctx); err != nil {
				return err
			}
			continue
		}
		starting := held < startFor && len(h.heap) > 0
		if held >= holdFor || h.active == 0 && (!starting || h.heap[0].next.Sub(now) > idleFor) {
			return h.leave(ctx, now)
		}
		var slots chan<- struct{}
		wake := holdFor - held
		if starting {
			if wait := h.heap[0].next.Sub(now); wait > 0 {
				wake = min(wake, wait)
			} else {
				slots = h.w.slots
			}
		}
		if len(h.done) > 0 {
			wake = min(wake, commitAt-now.Sub(h.first))
		}
		timer, stop := h.c.clock().NewTimer(wake)
		select {
		case <-ctx.Done():
			stop()
			return ctx.Err()
		case slots <- struct{}{}:
			if err = h.start(ctx, now); err != nil {
				stop()
				return err
			}
		case r := <-h.ends:
			h.end(r)
		case <-timer:
		}
		stop()
	}
}

// idle reports whether nothing can be started now.
func (h *hold) idle(now time.Time) bool { return len(h.heap) == 0 || h.heap[0].next.After(now) }

// queue puts the host into the heap, to be looked at at a time.
func (h *hold) queue(host string, at time.Time) {
	q, ok := h.queues[host]
	if !ok {
		q = &queue{name: host, manners: h.c.manners(host, h.w.Parallel), at: -1}
		h.queues[host] = q
	}
	h.look(q, at)
}

// look lets a queue be looked at at a time, or earlier if that was the plan.
func (h *hold) look(q *queue, at time.Time) {
	switch {
	case q.at < 0:
		q.next = at
		heap.Push(&h.heap, q)
	case at.Before(q.next):
		q.next = at
		heap.Fix(&h.heap, q.at)
	}
}

// start uses a slot for the first queue, or gives it back.
func (h *hold) start(ctx context.Context, now time.Time) error {
	used := false
	defer func() {
		if !used {
			<-h.w.slots
		}
	}()
	q := heap.Pop(&h.heap).(*queue)
	if len(q.tasks) == 0 {
		if err := h.due(ctx, q, now); err != nil {
			return err
		}
		var err error
		if q.tasks, err = h.b.Tasks(ctx, q.name, taskBatch); err != nil {
			return err
		}
	}
	if len(q.tasks) == 0 {
		if len(q.later) > 0 {
			h.look(q, q.later[0])
		}
		return nil
	}
	t := q.tasks[0]
	key := flightKey{h.run, t.ID}
	if f := h.w.take(key); f != nil { // of an earlier turn
		h.next(q, now)
		h.await(&request{q, t, f, key})
		return nil
	}
	m := h.w.machines.of(q.name, h.c)
	if q.name != "" && m.exhausted(now) {
		h.next(q, now)
		r := &Result{Verdict: Blocked, Why: WhyLimit, Note: "the server asks for fewer requests, and was not asked"}
		h.decide(t, h.without(t, r), nil)
		return nil
	}
	if x := q.losses[placeOf(t)]; x != nil && x.count >= deadAfter {
		switch {
		case t.Attempts == 0 && !t.PutOff && h.c.retryAfter() > 0:
			h.next(q, now)
			t.PutOff = true
			h.putOff(q, Done{Task: t, Again: now.Add(h.c.retryAfter())})
			return nil
		case x.gone != nil:
			h.next(q, now)
			h.decide(t, h.without(t, x.gone), nil)
			return nil
		case q.active > 0: // the host is tried once more
			return nil
		}
	}
	if a := h.c.known(ctx, t); a != nil {
		h.next(q, now)
		h.ended(q, t, a, time.Time{})
		return nil
	}
	ok, again := m.begin(now, q.manners)
	if !ok {
		if again.IsZero() && q.active == 0 {
			again = now.Add(busyPoll)
		}
		if !again.IsZero() { // else the end of a request looks at the queue
			h.look(q, again)
		}
		return nil
	}
	used = true
	h.next(q, again)
	h.await(&request{q, t, h.w.launch(h.whole, h.c, q, m, key, t, h.more), key})
	return nil
}

// more is the adder of a request. It adds nothing when the bucket was given back: another worker may
// have ended the run.
func (h *hold) more(ctx context.Context, links []Link) bool {
	select {
	case <-h.over:
		return false
	default:
		_, err := h.b.Add(ctx, links)
		return err == nil // else the commit fails, too
	}
}

// next removes the first task of a queue, and lets the next one be looked at at a time.
func (h *hold) next(q *queue, at time.Time) {
	q.tasks = q.tasks[1:]
	h.look(q, at)
}

// without returns the result of a task that is decided as another was, without a request.
func (h *hold) without(t Task, as *Result) *Result {
	a := h.c.blank(t)
	a.Verdict, a.Why, a.Status, a.Reply, a.Note, a.Addr, a.Attempts = as.Verdict, as.Why, as.Status, as.Reply, as.Note, as.Addr, t.Attempts
	return a
}

// await receives the end of a request.
func (h *hold) await(r *request) {
	h.active++
	r.q.active++
	go func() {
		select {
		case <-r.flight.ended:
		case <-h.over:
			return
		}
		select {
		case h.ends <- r:
		case <-h.over:
		}
	}()
}

// end handles the end of a request.
func (h *hold) end(r *request) {
	h.w.forget(r.key)
	h.active--
	r.q.active--
	out, q, now := r.flight.out, r.q, h.c.now()
	switch {
	case len(q.tasks) == 0:
	case out.noHost: // let others that are under way show whether the host is dead
		h.look(q, now.Add(busyPoll))
	default:
		h.look(q, now)
	}
	if h.whole.Err() == nil { // else it says nothing about the resource
		h.ended(q, r.task, out, r.flight.again)
	}
}

// ended decides a task by an attempt, or puts it off. Its host is to be left alone until a time;
// zero if it is not.
func (h *hold) ended(q *queue, t Task, out *attempt, until time.Time) {
	lost := q.lost(t, out)
	q.doubt(t, out)
	failed := out.result.Verdict == Broken && out.result.Why != WhyMalformed || out.result.Verdict == Unsure
	last := t.Attempts > 0 || h.c.retryAfter() < 0
	again := Done{Task: t, Again: h.c.now().Add(h.c.retryAfter()), Counts: true, Found: out.found}
	switch {
	case (out.limited || out.wait > 0) && !h.w.machines.of(q.name, h.c).exhausted(h.c.now()):
		h.putOff(q, Done{Task: t, Again: until})
	case failed && !last && out.unread && !t.PutOff: // it says nothing about the resource, either
		again.Task.PutOff, again.Counts = true, false
		h.putOff(q, again)
	case failed && !last && !(lost != nil && lost.count > deadAfter && t.PutOff):
		h.putOff(q, again)
	default:
		if lost != nil && (t.Attempts > 0 || t.PutOff) {
			gone := *out.result // before the history of this task changes it
			lost.gone = &gone
		}
		h.decide(t, out.result, out.found)
	}
}

// lost counts a request to which nothing answered; else it forgets those before, and returns nil.
func (q *queue) lost(t Task, out *attempt) *loss {
	place := placeOf(t)
	if !out.noHost || place == "" {
		delete(q.losses, place)
		return nil
	}
	x := q.losses[place]
	if x == nil {
		if q.losses == nil {
			q.losses = make(map[string]*loss)
		}
		x = new(loss)
		q.losses[place] = x
	}
	x.count++
	return x
}

// maxAnswered is how many places of a host are known to have answered.
const maxAnswered = 16

// doubt makes a broken URL unsure if nothing answers at its place, which has answered before in the
// run: the server has stopped meanwhile, which says nothing about the URL. It records places that
// answer.
func (q *queue) doubt(t Task, out *attempt) {
	place, r := placeOf(t), out.result
	known := slices.Contains(q.answered, place)
	switch {
	case out.noHost && known && r.Verdict == Broken:
		r.Verdict, r.Note = Unsure, "it has answered before in this run: "+r.Note
	case place == "", out.noHost, known, len(q.answered) >= maxAnswered:
	case r.Verdict == OK, r.Verdict == Moved, r.Status != "", r.Reply != "":
		q.answered = append(slices.Clip(q.answered), place) // the store may have the old ones
	}
}

// putOff lets a task be tried again.
func (h *hold) putOff(q *queue, d Done) {
	h.add(d)
	due := d.Again.Add(time.Millisecond) // a store may round up
	i, _ := slices.BinarySearchFunc(q.later, due, time.Time.Compare)
	q.later = slices.Insert(q.later, i, due)
	if q.at < 0 {
		h.look(q, q.later[0])
	}
}

// due forgets the times that have come, after the bucket knows of their tasks.
func (h *hold) due(ctx context.Context, q *queue, now time.Time) error {
	i := 0
	for i < len(q.later) && !q.later[i].After(now) {
		i++
	}
	q.later = q.later[i:]
	if i > 0 && len(h.done) > 0 {
		return h.commit(ctx)
	}
	return nil
}

// decide records the result of a task, and what was found there.
func (h *hold) decide(t Task, r *Result, found []Link) {
	h.c.finish(r, t)
	h.add(Done{Task: t, Result: r, Found: found})
}

func (h *hold) add(d Done) {
	if len(h.done) == 0 {
		h.first = h.c.now()
	}
	h.done = append(h.done, d)
}

// commit records what was done.
func (h *hold) commit(ctx context.Context) error {
	done := h.done
	h.done = nil
	var hosts []Host
	seen := make(map[string]bool)
	for _, d := range done {
		if name := d.Task.Host; !seen[name] {
			seen[name] = true
			hosts = append(hosts, h.host(h.queues[name]))
		}
	}
	if err := h.b.Commit(ctx, done, hosts); err != nil {
		return err
	}
	for _, d := range done {
		if d.Result != nil && h.w.Decided != nil {
			h.w.Decided(d.Result)
		}
		for _, l := range d.Found {
			if q := h.queues[l.Host]; q != nil {
				h.look(q, h.c.now())
			}
		}
	}
	return nil
}

// host returns the state of a host for the store. A pause of the run that is longer than MaxWait is
// waited for in parts, since only a server's own is decided without a request.
func (h *hold) host(q *queue) Host {
	next, asked := h.w.machines.of(q.name, h.c).after(q.manners)
	if most := h.c.now().Add(MaxWait); !asked && next.After(most) {
		next = most
	}
	q.stored = next
	return Host{Name: q.name, Next: next, Asked: asked, Answered: q.answered}
}

// leave records the hosts that wait for longer than the store knows, since their machine was asked
// for another host or run. Otherwise the bucket would come back at once.
func (h *hold) leave(ctx context.Context, now time.Time) error {
	var hosts []Host
	for _, q := range h.heap {
		if len(q.tasks) > 0 && q.next.After(now) && q.next.After(q.stored) {
			hosts = append(hosts, h.host(q))
		}
	}
	if len(hosts) == 0 {
		return nil
	}
	return h.b.Commit(ctx, nil, hosts)
}

// queues is a heap of queues by the time when to look at them.
type queues []*queue

func (x queues) Len() int { return len(x) }
func (x queues) Less(i, j int) bool {
	return cmp.Or(x[i].next.Compare(x[j].next), cmp.Compare(x[i].name, x[j].name)) < 0
}
func (x queues) Swap(i, j int) {
	x[i], x[j] = x[j], x[i]
	x[i].at, x[j].at = i, j
}
func (x *queues) Push(v any) {
	q := v.(*queue)
	q.at = len(*x)
	*x = append(*x, q)
}
func (x *queues) Pop() any {
	last := len(*x) - 1
	q := (*x)[last]
	*x, q.at = (*x)[:last], -1
	return q
}
