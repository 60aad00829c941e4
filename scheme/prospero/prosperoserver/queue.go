package prosperoserver

import (
	"net/netip"
	"slices"
	"sync"

	"locator/internal/hostaddr"
)

// Requests are answered by workers, so that one that takes long does not stop the others, nor the
// packets of responses.
const (
	maxWorkers = 4
	maxRunning = maxWorkers / 2 // for one address
	maxWaiting = 64
)

// queue holds the requests that wait for a worker.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting []*whole // the oldest first
	running map[netip.Addr]int
	closed  bool
}

func newQueue() *queue {
	q := &queue{running: make(map[netip.Addr]int)}
	q.changed.L = &q.mu
	return q
}

// push adds a request. If there are too many, it returns the one that was dropped: the oldest of
// the client with the most.
func (q *queue) push(w *whole) (dropped *whole) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, w)
	if len(q.waiting) > maxWaiting {
		of, most := make(map[netip.Addr]int), 0
		for _, w := range q.waiting {
			at := hostaddr.NetworkOf(w.key.from.Addr())
			of[at]++
			most = max(most, of[at])
		}
		i := slices.IndexFunc(q.waiting, func(w *whole) bool { return of[hostaddr.NetworkOf(w.key.from.Addr())] == most })
		dropped = q.waiting[i]
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.changed.Signal()
	return dropped
}

// pop waits for a request, and returns the oldest of the client with the fewest running. The caller
// must call done after it. ok is false if the queue was closed.
func (q *queue) pop() (w *whole, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed {
			return nil, false
		}
		best, fewest := -1, maxRunning
		for i, w := range q.waiting {
			if n := q.running[hostaddr.NetworkOf(w.key.from.Addr())]; n < fewest {
				best, fewest = i, n
			}
		}
		if best >= 0 {
			w := q.waiting[best]
			q.waiting = slices.Delete(q.waiting, best, best+1)
			q.running[hostaddr.NetworkOf(w.key.from.Addr())]++
			return w, true
		}
		q.changed.Wait()
	}
}

// done ends the work on a request.
func (q *queue) done(w *whole) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := hostaddr.NetworkOf(w.key.from.Addr())
	if q.running[at]--; q.running[at] == 0 {
		delete(q.running, at)
	}
	q.changed.Broadcast()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
