package gateway

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// flight is a response that is being made, by a goroutine of its own, for one client or for several who asked for the same. It is the
// http.ResponseWriter of whoever makes it. What is written stays in a spool, from which a client that comes later reads the beginning.
// What the spool does not take is given to all clients before the next piece is made.
type flight struct {
	c      *cache
	name   string
	cancel context.CancelFunc
	target string      // of the request for which it began
	header http.Header // of whoever makes the response, until it is sent

	mu      sync.Mutex
	change  *sync.Cond
	head    http.Header // that is sent; nil before that
	status  int
	meta    *meta // of a response that others may have; nil if they may not
	whole   bool  // it may be kept: nothing is missing
	spoiled bool  // something went wrong
	spool   spool
	spooled int64  // bytes in the spool
	n       int64  // bytes in all
	flushed int64  // bytes that must not wait
	piece   []byte // the last bytes, which are not in the spool
	late    bool   // a client has had the piece for a while, and another one has not
	ended   bool
	landed  time.Time // when it ended
	failed  bool
	same    *kept // instead of a response: this one is still so
	clients map[*follower]bool
	started bool // there was a client
	closed  bool
}

// spool keeps the beginning of a body.
type spool interface {
	io.ReaderAt
	append(b []byte) error
	close(name string)
}

// follower is a client of a flight.
type follower struct {
	first   bool  // the one for whom the flight began
	at      int64 // bytes that it has
	flushed int64 // bytes that it was sent without waiting
	gone    bool
}

// Bounds of a flight.
const (
	maxMemory   = 256 << 10 // bytes of a spool in memory
	maxMemories = 64 << 20  // of all of them
	pieceSize   = 32 << 10
	lateTime    = 10 * time.Second // how long a client may hold the others up
)

var errCut = errors.New("nobody reads the response any more")

func newFlight(c *cache, name string) *flight {
	f := &flight{c: c, name: name, header: make(http.Header), flushed: -1, clients: make(map[*follower]bool)}
	f.change = sync.NewCond(&f.mu)
	return f
}

// join adds a client. It returns nil if the flight cannot be joined: its beginning is not kept, or it is for another client only. over
// reports that it has landed.
func (f *flight) join() (x *follower, over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.ended && time.Since(f.landed) > f.c.late { // one that reads slowly must not keep it for all
		return nil, true
	}
	if f.spooled < f.n || f.head != nil && f.meta == nil || f.started && len(f.clients) == 0 {
		return nil, false
	}
	x = &follower{first: !f.started, flushed: -1}
	f.started = true
	f.clients[x] = true
	return x, false
}

// leave removes a client. Without one the flight is cancelled, or, if it has ended, is over. The last client of a flight that has the whole
// body for the store waits for its end, but not for long: many clients close their connection with the last byte, before the server has said
// that this was all. Until then it counts as a client, so that nobody has more flights than requests.
func (f *flight) leave(x *follower) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x.gone = true
	f.change.Broadcast()
	if len(f.clients) == 1 && f.complete() {
		t := time.AfterFunc(f.c.late, f.cancel)
		defer t.Stop()
		for f.complete() && !f.ended {
			f.change.Wait()
		}
	}
	delete(f.clients, x)
	f.change.Broadcast()
	if len(f.clients) == 0 {
		f.cancel()
		f.close()
	}
}

// complete reports whether the store has the whole body. f.mu is locked.
func (f *flight) complete() bool { return f.whole && f.declared() == f.n }

// declared is the size that the header says, or -1. f.mu is locked.
func (f *flight) declared() int64 {
	if n, err := strconv.ParseInt(f.head.Get("Content-Length"), 10, 64); err == nil {
		return n
	}
	return -1
}

// close ends a flight without clients that has ended. f.mu is locked.
func (f *flight) close() {
	if !f.ended || len(f.clients) > 0 || f.closed {
		return
	}
	f.closed = true
	if f.spool != nil {
		name := ""
		if f.whole && !f.spoiled && !f.failed && f.status == http.StatusOK {
			name = f.name
		}
		f.spool.close(name)
	}
	f.c.land(f)
}

// Header implements http.ResponseWriter.
func (f *flight) Header() http.Header { return f.header }

// WriteHeader implements http.ResponseWriter.
func (f *flight) WriteHeader(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin(status)
}

func (f *flight) begin(status int) {
	if f.head != nil {
		return
	}
	f.head, f.status = f.header.Clone(), status
	if f.head == nil {
		f.head = make(http.Header)
	}
	if f.head.Get("Set-Cookie") != "" {
		f.meta = nil // it is for one client
	}
	if f.meta != nil {
		f.meta.Header = f.head
		f.spool, f.whole = f.c.spool(f.meta, status)
	}
	f.change.Broadcast()
}

// Write implements http.ResponseWriter.
func (f *flight) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin(http.StatusOK)
	if len(f.clients) == 0 {
		f.whole = false
		return 0, errCut
	}
	if f.spool != nil && f.spooled == f.n {
		if f.spooled+int64(len(p)) <= f.c.of.Object && f.spool.append(p) == nil {
			f.spooled += int64(len(p))
			f.n = f.spooled
			f.change.Broadcast()
			return len(p), nil
		}
		f.whole = false
	}
	f.piece, f.n, f.late = p, f.n+int64(len(p)), false
	f.change.Broadcast()
	t := time.AfterFunc(f.c.late, f.cut)
	defer t.Stop()
	for len(f.clients) > 0 && !f.taken() {
		f.change.Wait()
	}
	f.piece = nil
	if len(f.clients) == 0 {
		return 0, errCut
	}
	return len(p), nil
}

// taken reports whether all clients have all that was written. Those that are late, but not all, are cut. f.mu is locked.
func (f *flight) taken() bool {
	have := 0
	for x := range f.clients {
		if x.at == f.n || x.gone {
			have++
		}
	}
	if f.late && have > 0 {
		for x := range f.clients {
			x.gone = x.gone || x.at < f.n
		}
		f.change.Broadcast()
		return true
	}
	return have == len(f.clients)
}

func (f *flight) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.late = true
	f.change.Broadcast()
}

// FlushError implements what http.ResponseController looks for.
func (f *flight) FlushError() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin(http.StatusOK)
	f.flushed = f.n
	f.change.Broadcast()
	return nil
}

// share says that others may have the response, whose header must not be sent yet.
func (f *flight) share(m *meta) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.meta = m
}

// spoil says that the response must not be kept, since it is not what the server would send at another time.
func (f *flight) spoil() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoiled = true
}

// repeat ends the flight with a response that was kept.
func (f *flight) repeat(k *kept) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.same = k
}

// end ends the flight. ok is false if the response broke off.
func (f *flight) end(ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.same == nil {
		f.begin(http.StatusOK)
		if n := f.declared(); n >= 0 && n != f.n {
			ok = false
		}
	}
	f.ended, f.failed, f.landed = true, !ok, time.Now()
	f.change.Broadcast()
	f.close()
}

// start begins to make the response.
func (f *flight) start(x *exchange, old *kept, serve func(*exchange)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.r.Context()))
	f.mu.Lock()
	f.cancel, f.target = cancel, x.r.RequestURI
	f.mu.Unlock()
	r := x.r.Clone(ctx)
	r.Header.Set("Accept-Encoding", "gzip") // those who do not accept it get it uncompressed
	y := &exchange{g: x.g, w: f, r: r, place: x.place, u: x.u, settings: x.settings, flight: f, list: x.g.policy.blocked.version(), old: old}
	go func() {
		ok := false
		defer func() {
			if e := recover(); e != nil && e != http.ErrAbortHandler {
				x.g.opt.Log.Error("the gateway has a fault", "panic", e, "stack", string(debug.Stack()))
			}
			cancel()
			f.end(ok)
		}()
		serve(y)
		ok = true
	}()
}

// begun waits until the header of the response is known, or that there is none. alone says that the client must ask for itself: the
// response is not for others, or is an error, which repeats the URL as another client has written it.
func (f *flight) begun(x *follower, target string) (head http.Header, status int, same *kept, alone bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.head == nil && !f.ended && !x.gone {
		f.change.Wait()
	}
	switch {
	case f.same != nil:
		return nil, 0, f.same, false
	case x.gone:
		return nil, 0, nil, false
	case f.head == nil || f.meta == nil && !x.first || f.status >= 400 && target != f.target:
		return nil, 0, nil, true
	}
	return f.head.Clone(), f.status, nil, false
}

// serve serves the response to a client. It returns false if the client must ask for itself.
func (f *flight) serve(x *exchange, client *follower, status string) bool {
	stop := context.AfterFunc(x.r.Context(), func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		client.gone = true
		f.change.Broadcast()
	})
	defer stop()
	head, code, same, alone := f.begun(client, x.r.RequestURI)
	switch {
	case same != nil:
		return f.c.send(x.w, x.r, same, cacheRenewed)
	case alone:
		return false
	case head == nil:
		panic(http.ErrAbortHandler) // the client has gone, or sends nothing more and must not take this for an empty response
	}
	maps.Copy(x.w.Header(), head)
	f.c.note(x.w, status)
	body := &stream{f, client, http.NewResponseController(x.w).Flush}
	if err := f.c.g.pools.copyEncoded(x.w, x.r, code, body, -1); err != nil {
		panic(http.ErrAbortHandler) // it must not look complete
	}
	return true
}

// stream is the body of a flight for a client.
type stream struct {
	f     *flight
	x     *follower
	flush func() error // sends what was read so far
}

// Read implements io.Reader. An error but io.EOF means that the body is not whole.
func (s *stream) Read(p []byte) (n int, err error) {
	f, x := s.f, s.x
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case x.gone:
			return 0, errCut
		case x.at >= f.flushed && x.flushed < f.flushed:
			x.flushed = f.flushed
			f.mu.Unlock()
			err := s.flush()
			f.mu.Lock()
			if err != nil {
				return 0, err
			}
		case x.at < f.spooled:
			n := min(len(p), int(min(f.spooled-x.at, pieceSize)))
			f.mu.Unlock()
			n, err := f.spool.ReadAt(p[:n], x.at)
			f.mu.Lock()
			x.at += int64(n)
			return n, err
		case x.at < f.n:
			n := copy(p, f.piece[len(f.piece)-int(f.n-x.at):])
			x.at += int64(n)
			f.change.Broadcast()
			return n, nil
		case f.failed:
			return 0, errCut
		case f.ended:
			return 0, io.EOF
		default:
			f.change.Wait()
		}
	}
}

// memory is a spool without a file. All of them together have a bound.
type memory struct {
	used *atomic.Int64
	mu   sync.Mutex
	b    []byte
}

func (m *memory) append(b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.b)+len(b) > maxMemory {
		return errNoRoom
	}
	if m.used.Add(int64(len(b))) > maxMemories {
		m.used.Add(-int64(len(b)))
		return errNoRoom
	}
	m.b = append(m.b, b...)
	return nil
}

// ReadAt implements io.ReaderAt.
func (m *memory) ReadAt(b []byte, at int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return copy(b, m.b[at:]), nil // a flight asks for what it has
}

func (m *memory) close(string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Add(-int64(len(m.b)))
	m.b = nil
}
