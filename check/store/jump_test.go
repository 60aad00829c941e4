//go:build !386 && !arm && !mips && !mipsle

package store_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
	"locator/client"
	"locator/internal/clock"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// jumpy is a clock that can be set while a run is under way. Timers and, as in a process, the
// times of a Worker do not follow it.
type jumpy struct {
	clock.System
	offset atomic.Int64
}

func (j *jumpy) Now() time.Time { return time.Now().Add(time.Duration(j.offset.Load())) }

// A clock that is set back, or jumps forward, in the middle of a run neither holds it up nor changes
// a verdict.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, jump := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := new(jumpy)
			var seen atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := seen.Add(1)
				if n == 30 {
					now.offset.Store(int64(jump))
				}
				switch {
				case strings.HasPrefix(r.URL.Path, "/missing"):
					w.WriteHeader(404)
				case n == 25:
					w.Header().Set("Retry-After", "1")
					w.WriteHeader(429)
				}
			}))
			defer srv.Close()
			s := open(t, store.Options{Folder: t.TempDir(), Clock: now})
			defer s.Close()
			r, err := s.Begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
			defer c.Close()
			var links []check.Link
			for i := range 40 {
				url := fmt.Sprintf("%s/%s/%d", srv.URL, []string{"page", "missing"}[i%2], i)
				links = append(links, check.NewLink(c, locator.Current.Parse, url, check.Place{}, false))
			}
			if _, err := r.Add(t.Context(), links); err != nil {
				t.Fatal(err)
			}
			if err := r.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), storetest.Time)
			defer cancel()
			w := &check.Worker{Checker: &check.Checker{Client: c, RetryAfter: 500 * time.Millisecond, Manners: func(string) check.Manners { return check.Manners{PerHost: 2, Interval: 5 * time.Millisecond} }}}
			if err := w.Run(ctx, r); err != nil || ctx.Err() != nil {
				t.Fatal(err, ctx.Err())
			}
			n := 0
			for res, err := range r.Results(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				want := check.OK
				if strings.Contains(res.URL, "/missing/") {
					want = check.Broken
				}
				if res.Verdict != want || want == check.Broken && res.Attempts != 2 {
					t.Errorf("%s: %s %s after %d attempts, want %s", res.URL, res.Verdict, res.Why, res.Attempts, want)
				}
			}
			if n != len(links) {
				t.Errorf("%d results, want %d", n, len(links))
			}
		})
	}
}
