package ftp

import (
	"testing"
	"time"

	"locator"
	systemclock "locator/internal/clock"
	"locator/scheme"
)

// stoppedClock is a clock that shows one time.
type stoppedClock struct {
	systemclock.System
	now time.Time
}

func (c *stoppedClock) Now() time.Time { return c.now }

// A prefetched port is used for the place that it was requested for, and not after a while.
func TestPortFits(t *testing.T) {
	t.Parallel()
	plan := func(url string, o *options) *place {
		p, err := newPlace(scheme.Request{URL: locator.MustParse(url)}, *o)
		if err != nil {
			t.Fatal(err)
		}
		p.options = o
		return p
	}
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		url     string
		age     time.Duration
		pending bool
		time    string // the file whose MDTM is pending
		o       options
		want    bool
	}{
		{url: "ftp://h/a/x", pending: true, want: true},
		{url: "ftp://h/a/x", pending: true, age: maxPortAge, want: true},
		{url: "ftp://h/a/x", pending: true, age: maxPortAge + 1},
		{url: "ftp://h/a/x", age: maxPortAge + 1, want: true},
		{url: "ftp://h/b/x", pending: true},
		{url: "ftp://h/b/x", want: true},
		{url: "ftp://h/a/b/x", pending: true},
		{url: "ftp://h/a/", pending: true},
		{url: "ftp://h/a/x;type=a", pending: true},
		{url: "ftp://h/a/x;type=d", pending: true},
		{url: "ftp://h/a/%C3%A4", pending: true}, // FEAT comes first
		{url: "ftp://h/a/x", pending: true, o: options{AccessOptions: scheme.AccessOptions{Range: scheme.Range{Offset: 1}}}},
		{url: "ftp://h/a/x", pending: true, o: options{AccessOptions: scheme.AccessOptions{Detail: true}}},
		{url: "ftp://h/a/x", pending: true, time: "x", o: options{AccessOptions: scheme.AccessOptions{Detail: true}}, want: true},
		{url: "ftp://h/a/x", pending: true, time: "x", want: true},
		{url: "ftp://h/a/y", pending: true, time: "x", o: options{AccessOptions: scheme.AccessOptions{Detail: true}}},
		{url: "ftp://h/a/x", pending: true, time: "x", o: options{AccessOptions: scheme.AccessOptions{If: scheme.Conditions{ModifiedSince: begin}}}},
	} {
		clock := &stoppedClock{now: begin.Add(test.age)}
		c := &conn{dirs: []string{"a"}, typ: image, portPending: test.pending, timePending: test.time, portPendingAt: begin}
		s := &session{conn: c, env: &scheme.Env{Clock: clock}}
		if got := s.portFits(plan(test.url, &test.o)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
