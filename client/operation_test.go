package client

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/scheme"
)

// Each operation has a turn at each server, which ends when the operation is done with it.
func TestTurn(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	held, all := 0, []string{}
	c := New(Options{
		Policy: &asked{},
		Turn: func(_ context.Context, u locator.URL) (func(), error) {
			mu.Lock()
			defer mu.Unlock()
			if u.Host() == "busy" {
				return nil, scheme.Fail(scheme.CodeUnavailable, "busy")
			}
			held++
			all = append(all, u.Host())
			return func() { mu.Lock(); held--; mu.Unlock() }, nil
		},
		Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			switch r.URL.Host() {
			case "a":
				return refer("http://b/"), nil
			case "b":
				mu.Lock()
				defer mu.Unlock()
				if held != 1 {
					t.Errorf("%d turns at once", held)
				}
				return text("there"), nil
			case "list":
				return &scheme.Resource{Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) { yield(scheme.Entry{Name: "x"}, nil) }}, nil
			}
			return nil, scheme.Fail(scheme.CodeUnreachable, "no such host")
		}}),
	})
	now := func() int {
		mu.Lock()
		defer mu.Unlock()
		return held
	}
	free := func(when string) {
		t.Helper()
		for range 500 {
			if now() == 0 {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
		t.Errorf("%s: %d turns are held", when, now())
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("http://a/")}, nil)
	if err != nil || now() != 1 {
		t.Fatalf("%v; %d turns", err, now())
	}
	res.Close()
	free("closed")
	if res, err = c.Access(t.Context(), scheme.Request{URL: parse("http://list/")}, nil); err != nil {
		t.Fatal(err)
	}
	for range res.Entries {
		if now() != 1 {
			t.Errorf("%d turns", now())
		}
	}
	free("at the end of a listing")
	res.Close()
	_, err = get(t, c, "http://none/")
	wantCode(t, err, scheme.CodeUnreachable)
	free("after an error")
	_, err = get(t, c, "http://busy/")
	wantCode(t, err, scheme.CodeUnavailable, "busy")
	if got := strings.Join(all, " "); got != "a b list none" {
		t.Error(got)
	}
}
