package schemetest

import (
	"context"
	"errors"
	"strings"
	"time"

	"go.uber.org/goleak"

	"locator"
	"locator/client"
	"locator/scheme"
)

// stage is the environment of one duty: a server, its clients, and records of connections, traces
// and errors.
type stage struct {
	tester
	h       *Harness
	duty    duty
	times   timing
	ctx     context.Context
	cancel  context.CancelFunc
	before  goleak.Option // the goroutines that existed before
	server  Server
	network *network
	guard   *guard
	journal *journal
	clients []*client.Client
}

func open(t tester, h *Harness, d duty, times timing) *stage {
	t.Helper()
	s := &stage{tester: t, h: h, duty: d, times: times, before: goleak.IgnoreCurrent(), network: newNetwork(), guard: &guard{}, journal: &journal{}}
	s.ctx, s.cancel = context.WithTimeout(context.Background(), 2*times.patience)
	s.server = h.Start(t.testing())
	return s
}

// end closes everything and checks for leaks.
func (s *stage) end() {
	s.Helper()
	defer s.cancel()
	for _, c := range s.clients {
		if err := c.Close(); err != nil {
			s.Errorf("Client.Close: %v", err)
		}
	}
	if n := s.network.left(s.times.stop); n > 0 {
		s.tester.Errorf("%d connections are still open after all was closed and the client, too\n\tduty: scheme.Scheme: it holds no connection of its own; a Resource that is closed, and a listing that is left, free theirs", n)
	}
	s.cancel()
	s.server.Close()
	if err := goleak.Find(s.before); err != nil {
		s.tester.Errorf("%v\n\tduty: scheme.Scheme: it stops when the context ends; no goroutine is left", err)
	}
	for _, line := range s.journal.unsafe() {
		s.tester.Errorf("%s\n\tduty: scheme.Trace and scheme.Error: what they hold is escaped for a terminal (P6)", line)
	}
}

// Errorf fails the duty and cites it.
func (s *stage) Errorf(format string, args ...any) {
	s.Helper()
	s.tester.Errorf(format+"\n\tduty: %s", append(args, s.duty.text)...)
}

// Fatalf fails the duty, cites it and ends it.
func (s *stage) Fatalf(format string, args ...any) {
	s.Helper()
	s.tester.Fatalf(format+"\n\tduty: %s", append(args, s.duty.text)...)
}

// client returns a client whose connections and traced lines are recorded.
func (s *stage) client(change ...func(*client.Options)) *client.Client {
	s.Helper()
	o := client.Options{
		Registry: scheme.NewRegistry(append([]scheme.Scheme{s.h.Scheme}, s.h.Others...)...),
		Policy:   s.guard,
		Trace:    s.journal.trace(),
		Dial:     s.network.dial,
		Limits:   scheme.Limits{Idle: s.times.patience},
	}
	if s.h.Options != nil {
		s.h.Options(s.server, &o)
	}
	for _, f := range change {
		f(&o)
	}
	c := client.New(o)
	s.clients = append(s.clients, c)
	return c
}

// limits returns a client with these limits; Idle defaults to times.patience.
func (s *stage) limits(l scheme.Limits) *client.Client {
	s.Helper()
	if l.Idle == 0 {
		l.Idle = s.times.patience
	}
	return s.client(func(o *client.Options) { o.Limits = l })
}

// within runs f, and fails if f does not return in time. f must not end the test.
func (s *stage) within(limit time.Duration, what string, f func()) {
	s.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		s.Fatalf("%s hangs: it has not returned after %v", what, limit)
	}
}

// until waits until ok returns true, and reports whether it did within the limit.
func (s *stage) until(limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// waitConnections waits until the server has accepted n connections, which may be later than the
// client's connect.
func (s *stage) waitConnections(n int) {
	s.until(s.times.settle, func() bool { return s.server.Connections() >= n })
}

// url returns the URL of a file of the tree, or that of Harness.Alone.
func (s *stage) url(path ...string) locator.URL {
	if s.h.Alone != nil {
		return s.h.Alone(s.server)
	}
	return s.server.URL(path...)
}

// file returns the URL and content of a file that the duty needs.
func (s *stage) file(path ...string) (locator.URL, string) {
	s.Helper()
	u := s.server.URL(path...)
	if u.IsZero() {
		s.Fatalf("the server has no URL for %q of the tree, without which this cannot be shown", strings.Join(path, "/"))
	}
	for _, f := range Tree() {
		if strings.Join(f.Path, "\x00") == strings.Join(path, "\x00") {
			return u, s.h.stored(f)
		}
	}
	s.Fatalf("there is no %q in the tree", strings.Join(path, "/"))
	return u, ""
}

// code checks that err has one of the codes.
func (s *stage) code(what string, err error, want ...scheme.Code) {
	s.Helper()
	s.journal.note(err)
	if err == nil {
		s.Errorf("%s succeeded; want code %v", what, want)
		return
	}
	var e *scheme.Error
	if !errors.As(err, &e) {
		s.Errorf("%s: the error is a %T, which carries no code: %v", what, err, err)
		return
	}
	for _, c := range want {
		if client.CodeOf(err) == c {
			return
		}
	}
	s.Errorf("%s: code %v, want %v: %v", what, client.CodeOf(err), want, err)
}
