package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"locator/check"
)

// Time bounds the work of one test.
const Time = 3 * time.Minute

// Run runs the suite. open returns an empty store, which the suite closes.
func Run(t *testing.T, open func(t *testing.T) check.Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s check.Store)
	}{
		{"empty", empty}, {"add", add}, {"done", done}, {"places", places}, {"work", work}, {"again", again}, {"order", order},
		{"hosts", hosts}, {"found", found}, {"late", late}, {"history", history}, {"addWhileWorking", addWhileWorking},
		{"drop", drop}, {"progress", progress}, {"stop", stop}, {"fails", fails}, {"bytes", bytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			c.test(t, s)
		})
	}
}

// Links returns n links of some hosts.
func Links(n, hosts int) []check.Link {
	links := make([]check.Link, n)
	for i := range links {
		host := fmt.Sprintf("host%d.example", i%hosts)
		url := fmt.Sprintf("x://%s/%d", host, i)
		links[i] = check.Link{Key: url, URL: url, Host: host, Place: check.Place{File: "list", Line: i + 1}}
	}
	return links
}

// Decide returns a function for Work that decides each task with a verdict, in commits of up to a
// hundred, and counts them in seen.
func Decide(seen *sync.Map, verdict check.Verdict) func(context.Context, check.Bucket) error {
	return func(ctx context.Context, b check.Bucket) error {
		hosts, err := b.Hosts(ctx)
		if err != nil {
			return err
		}
		for _, h := range hosts {
			for {
				tasks, err := b.Tasks(ctx, h.Name, 100)
				if err != nil {
					return err
				}
				if len(tasks) == 0 {
					break
				}
				var list []check.Done
				for _, task := range tasks {
					list = append(list, check.Done{Task: task, Result: &check.Result{URL: task.URL, Verdict: verdict, Attempts: task.Attempts + 1}})
				}
				if err := b.Commit(ctx, list, nil); err != nil {
					return err
				}
				for _, task := range tasks {
					n, _ := seen.LoadOrStore(task.Key, new(int64))
					*n.(*int64)++
				}
			}
		}
		return nil
	}
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func begin(t *testing.T, s check.Store, links []check.Link) check.Run {
	t.Helper()
	r := must[check.Run](t)(s.Begin(t.Context(), json.RawMessage(`{"a":1}`)))
	if n := must[int](t)(r.Add(t.Context(), links)); n != len(links) {
		t.Fatalf("Add: %d URLs were new, want %d", n, len(links))
	}
	return r
}

func seal(t *testing.T, r check.Run) {
	t.Helper()
	if err := r.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// finish works until the run has ended.
func finish(t *testing.T, r check.Run, do func(context.Context, check.Bucket) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Time)
	defer cancel()
	if err := r.Work(ctx, 8, do); err != nil {
		t.Fatal(err)
	}
	if info := must[check.RunInfo](t)(r.Info(t.Context())); info.Ended.IsZero() || info.Open != 0 {
		t.Fatalf("the run has not ended: %+v", info)
	}
}

func results(t *testing.T, r check.Run) (list []*check.Result) {
	t.Helper()
	for res, err := range r.Results(t.Context()) {
		list = append(list, must[*check.Result](t)(res, err))
	}
	return list
}

func count(n int64) *int64 { return &n }
